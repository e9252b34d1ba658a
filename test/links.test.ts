import { execFileSync } from 'node:child_process'
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

/** Returns the anchors of a page: its own, and those that GitHub makes of headings, numbered if they repeat. */
function anchorsOf(markdown: string): string[] {
  const own = [...markdown.matchAll(/<a id="([^"]*)">/g)].map(([, id = '']) => id)
  const headings = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/^#{1,6} (.*)$/gm)
  const seen = new Map<string, number>()
  const made = [...headings].map(([, title = '']) => {
    const anchor = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    const before = seen.get(anchor) ?? 0
    seen.set(anchor, before + 1)
    return before === 0 ? anchor : `${anchor}-${before}`
  })
  return [...own, ...made]
}

const links = pages.flatMap((page) => linksOf(read(page)).map((link) => ({ page, link })))
const relative = links.filter(({ link }) => !/^[a-z]+:/.test(link))

test('links lead to something', () => {
  const broken = nonEmpty(relative).filter(({ page, link }) => !leadsSomewhere(page, link))
  expect(broken.map(({ page, link }) => `${page}: ${link}`)).toEqual([])
})

/** Checks whether a link's file exists, and its heading if it names one. */
function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : posix.join(dirname(page), path)
  return existsSync(join(root, target)) && (anchor === undefined || anchorsOf(read(target)).includes(anchor))
}

/** What the pages name in code: tests that a command runs, and files of the package. */
const named = pages.flatMap((page) => {
  const runs = read(page).match(/npx vitest run [^`]*/g) ?? []
  const tests = runs.flatMap((run) => run.match(/\btest\/[\w./-]+/g) ?? [])
  const inPackage = [...read(page).matchAll(/node_modules\/countersign\/([\w./-]+)/g)].map(([, path = '']) => path)
  return [...tests, ...inPackage].map((path) => ({ page, path }))
})

test('the tests and files that the pages name are there', () => {
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
  const isThere = (path: string) => path.startsWith('dist/') || files.some((file) => file.startsWith(path))
  expect(nonEmpty(named).filter(({ path }) => !isThere(path))).toEqual([])
})

test('every other link is a web address', () => {
  const others = nonEmpty(links.filter((one) => !relative.includes(one)))
  expect(others.filter(({ link }) => !/^https?:/.test(link) || !URL.canParse(link))).toEqual([])
})

/** Pages to look something up in, and those with configurations to copy. */
const longPages = /^docs\/(api\/.*|interface|errors|glossary|reliability|deploying|postgres|objects)\.md$/

test('other pages have fewer than 50 lines', () => {
  const short = pages.filter((page) => page.startsWith('docs/') && !longPages.test(page))
  expect(nonEmpty(short).filter((page) => read(page).trimEnd().split('\n').length >= 50)).toEqual([])
})

test('no decision note has the number of another', () => {
  const notes = pages.filter((page) => page.startsWith('docs/decisions/'))
  expect(new Set(notes.map((page) => page.slice(0, 'docs/decisions/0000'.length))).size).toBe(notes.length)
})

test('all pages with links are checked', () => {
  for (const page of ['README.md', 'CONTRIBUTING.md', 'bench/README.md', 'examples/vite-react/README.md']) {
    expect(pages).toContain(page)
  }
  expect(pages.filter((page) => page.startsWith('docs/')).length).toBeGreaterThan(5)
  expect(relative.map(({ page }) => page)).toContain('README.md')
})
