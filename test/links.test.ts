import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { linksOf } from './support/markdown.ts'
import { nonEmpty } from './support/non-empty.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'bench/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
  ...readdirSync(join(root, 'examples')).map((name) => `examples/${name}/README.md`),
].filter((path) => path.endsWith('.md') && existsSync(join(root, path)))

/** Returns the anchors of the headings of a page, as GitHub creates them. */
function anchorsOf(markdown: string): string[] {
  const headings = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/^#{1,6} (.*)$/gm)
  return [...headings].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

const links = pages.flatMap((page) => linksOf(read(page)).map((link) => ({ page, link })))
const relative = links.filter(({ link }) => !/^[a-z]+:/.test(link))

test.each(nonEmpty(relative))('$page: $link leads to something', ({ page, link }) => {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : posix.join(dirname(page), path)
  expect(existsSync(join(root, target))).toBe(true)
  if (anchor !== undefined) expect(anchorsOf(read(target))).toContain(anchor)
})

test('every other link is a web address', () => {
  for (const { page, link } of nonEmpty(links.filter((one) => !relative.includes(one)))) {
    expect(/^https?:/.test(link) && URL.canParse(link), `${page}: ${link}`).toBe(true)
  }
})

test('the pages that lead elsewhere are all looked at', () => {
  for (const page of ['README.md', 'CONTRIBUTING.md', 'bench/README.md', 'examples/vite-react/README.md']) {
    expect(pages).toContain(page)
  }
  expect(pages.filter((page) => page.startsWith('docs/')).length).toBeGreaterThan(5)
  expect(relative.map(({ page }) => page)).toContain('README.md')
})
