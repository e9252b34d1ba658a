import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createFolder, writeWhole } from '../conformance/report/write-whole.ts'
import { escapeMarkup } from '../conformance/wire/inert.ts'
import { hasSamples, marks, tryLink, tryPageName, withServer } from '../src/node/docs-marks.ts'
import { reasonOf } from '../src/node/journal/errors.ts'
import { docsFolder } from './built.ts'
import { exit, UsageError } from './exit.ts'
import { profileFile, readAs, readInput } from './input.ts'
import type { Flags } from './options.ts'

/** Writes the documentation from the build, and returns the exit code. */
export async function writeDocs(flags: Flags<'docs'>): Promise<number> {
  const { out, like } = flags
  const profile = like === undefined ? undefined : await readAs(like, profileFile('--like'))
  const names = await writePages(flags)
  if (profile) {
    const { writeLike } = await import('./docs-like.ts')
    names.push(...(await writeLike(out, profile)))
  }
  process.stdout.write(`Wrote ${names.join(', ')} into ${out}. Open ${out}/index.html.\n`)
  return exit.ok
}

async function writePages(flags: Flags<'docs'>): Promise<string[]> {
  const folder = flags.out
  const logo = flags.logo === undefined ? undefined : await readLogo(flags.logo)
  const all = await readdir(docsFolder)
  const names = all.filter((name) => !tryPageFiles.includes(name) || flags.serverUrl !== undefined)
  try {
    await createFolder(folder)
    // A page of an earlier run that had a server.
    for (const name of all) if (!names.includes(name)) await rm(join(folder, name), { force: true })
    for (const name of names) {
      const text = await readFile(join(docsFolder, name), 'utf8')
      await writeWhole(join(folder, name), hasSamples(name) ? adapted(name, text, flags, logo) : text)
    }
    return names
  } catch (error) {
    throw new Error(
      `The documentation cannot be written to ${folder}: ${reasonOf(error)}. Choose another folder with --out.`,
    )
  }
}

/** Puts the name, the logo and the URL into a page, and removes the links to the page that sends calls if that page is not written. */
function adapted(file: string, page: string, { serverUrl, title }: Flags<'docs'>, logo?: string): string {
  const name = escapeMarkup(title ?? 'Countersign')
  const image = logo === undefined ? '' : `<img src="${logo}" alt="">`
  const branded = page
    .replace(marks.brand, () => `<span class="brand">${image}${name}</span>`)
    .replace(marks.title, () => ` - ${name}</title>`)
  if (serverUrl === undefined) return branded.replace(tryPageItem, '').replaceAll(linkToTryPage, '')
  // They are about a mock on the reader's machine.
  if (['admin.html', 'guides.html', 'troubleshooting.html'].includes(file)) return branded.replaceAll(linkToTryPage, '')
  return withServer(branded, serverUrl).replace(marks.target, () => `<meta name="server" content="${serverUrl}">`)
}

const tryPageFiles = [tryPageName, tryPageName.replace('html', 'css')]

const tryPageItem = /<li><a href="try\.html"[^>]*>[^<]*<\/a><\/li>\n/

/** A link as Markdown in the state of a reference page, with the line breaks after it. */
const linkToTryPage = new RegExp(
  `${tryLink('NAME')
    .replaceAll(/[[\]().]/g, '\\$&')
    .replace('NAME', '\\w+')}(\\\\n)*`,
  'g',
)

const largestLogo = 500_000

/** The kinds of logos by the ends of their names, each with what its content, as Latin-1, is known by. */
const logoKinds: readonly (readonly [ending: RegExp, type: string, content: RegExp])[] = [
  [/\.svg$/i, 'image/svg+xml', /<svg[\s>]/i],
  [/\.png$/i, 'image/png', /^\x89PNG/],
  [/\.jpe?g$/i, 'image/jpeg', /^\xff\xd8\xff/],
]

/** Reads a logo as a `data:` URL. */
async function readLogo(file: string): Promise<string> {
  const [, type, content] = logoKinds.find(([ending]) => ending.test(file)) ?? []
  if (!content)
    throw new UsageError(`The logo ${file} is none of .svg, .png, .jpg and .jpeg. Pass such a file with --logo.`)
  const bytes = await readInput(file, { what: 'The logo', advice: 'Pass an SVG, PNG or JPEG file with --logo.' })
  if (bytes.length > largestLogo) {
    const size = `${Math.ceil(bytes.length / 1000)} kB`
    throw new UsageError(`The logo ${file} has ${size}. Pass a file of up to 500 kB with --logo.`)
  }
  if (!content.test(bytes.toString('latin1'))) {
    throw new UsageError(`The logo ${file} is not ${type}, whatever its name says. Pass an image with --logo.`)
  }
  return `data:${type};base64,${bytes.toString('base64')}`
}
