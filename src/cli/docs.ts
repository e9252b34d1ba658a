import { readdir, readFile, rm } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, InvalidArgumentError } from 'commander'
import { createFolder } from '../../conformance/report/write-folder.ts'
import { writeWhole } from '../../conformance/report/write-whole.ts'
import { hasSamples, isPlainUrl, marks, tryLink, tryPageName, withServer } from '../node/docs-marks.ts'
import type { Profile } from '../profile/profile.ts'
import { exit, UsageError } from './exit.ts'
import { readInput } from './input-file.ts'
import { httpUrl } from './options.ts'

/** The folder into which the build writes the documentation; the path is the same from the bundled command line. */
export const docsFolder = fileURLToPath(new URL('../../dist/docs', import.meta.url))

/** The folder into which the build writes the console. */
export const consoleFolder = fileURLToPath(new URL('../../dist/console', import.meta.url))

interface DocsFlags {
  readonly out: string
  readonly serverUrl?: string
  readonly title?: string
  readonly logo?: string
}

/** Creates `countersign docs`, which writes the documentation from the build. */
export function docsCommand(done: (code: number) => void): Command {
  return new Command('docs')
    .description('Write the documentation as pages that need no network. A running mock serves them at /docs.')
    .option(
      '--out <dir>',
      'folder to write to; created if it does not exist; pages of the same name are replaced',
      'docs-site',
    )
    .option(
      '--server-url <url>',
      'URL of your service, for the reference, the curl samples and the page that sends calls',
      serverUrl,
    )
    .option('--title <text>', 'name to show on every page', title)
    .option('--logo <file>', 'SVG, PNG or JPEG of up to 500 kB to show on every page')
    .option('--like <file>', 'show the answers of the deployment of a profile that countersign learn has written')
    .action(async ({ out, like, ...flags }: DocsFlags & { readonly like?: string }) => {
      const profile = like === undefined ? undefined : await readProfile(like)
      const names = await writeDocs(out, flags)
      if (profile) names.push(...(await addAnswers(out, profile)))
      process.stdout.write(`Wrote ${names.join(', ')} into ${out}. Open ${out}/index.html.\n`)
      done(exit.ok)
    })
}

async function readProfile(path: string): Promise<Profile> {
  const { readProfileFile } = await import('./profile-file.ts')
  return readProfileFile(path, '--like')
}

async function addAnswers(folder: string, profile: Profile): Promise<string[]> {
  const { writeLike } = await import('./docs-like.ts')
  return writeLike(folder, profile)
}

/** Parses the URL of a service. It becomes part of shell commands, so characters that a shell interprets are refused. */
function serverUrl(text: string): string {
  const url = httpUrl(text)
  if (!isPlainUrl(url)) {
    throw new InvalidArgumentError('Use only letters, digits and the characters . - _ ~ % in the URL.')
  }
  if (/\/api\/v1$/.test(url)) {
    throw new InvalidArgumentError('Leave out /api/v1: the paths of the API begin with it.')
  }
  return url
}

function title(text: string): string {
  if (text.trim() === '' || text.length > 100) throw new InvalidArgumentError('Use 1 to 100 characters.')
  return text.trim()
}

async function writeDocs(folder: string, flags: Omit<DocsFlags, 'out'>): Promise<string[]> {
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
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`The documentation cannot be written to ${folder}: ${why}. Choose another folder with --out.`)
  }
}

/** Puts the name, the logo and the URL into a page, and removes the links to the page that sends calls if that page is not written. */
function adapted(file: string, page: string, { serverUrl, title }: Omit<DocsFlags, 'out'>, logo?: string): string {
  const name = escaped(title ?? 'Countersign')
  const image = logo === undefined ? '' : `<img src="${logo}" alt="">`
  const branded = page
    .replace(marks.brand, () => `<span class="brand">${image}${name}</span>`)
    .replace(marks.title, () => ` - ${name}</title>`)
  if (serverUrl === undefined) return branded.replace(tryPageItem, '').replaceAll(linkToTryPage, '')
  // The admin API is one of the mock, and refuses pages of other origins.
  if (file === 'admin.html') return branded.replaceAll(linkToTryPage, '')
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

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

const largestLogo = 500_000

/** The kinds of logos, each with a test of its content. */
const logoKinds: Readonly<Record<string, { type: string; fits: (bytes: Buffer) => boolean }>> = {
  '.svg': { type: 'image/svg+xml', fits: (bytes) => /<svg[\s>]/i.test(bytes.toString('utf8')) },
  '.png': { type: 'image/png', fits: (bytes) => bytes.subarray(0, 4).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47])) },
  '.jpg': { type: 'image/jpeg', fits: isJpeg },
  '.jpeg': { type: 'image/jpeg', fits: isJpeg },
}

function isJpeg(bytes: Buffer): boolean {
  return bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))
}

/** Reads a logo as a `data:` URL. */
async function readLogo(file: string): Promise<string> {
  const kind = logoKinds[extname(file).toLowerCase()]
  if (!kind)
    throw new UsageError(`The logo ${file} is none of .svg, .png, .jpg and .jpeg. Pass such a file with --logo.`)
  const bytes = await readInput(file, { what: 'The logo', advice: 'Pass an SVG, PNG or JPEG file with --logo.' })
  if (bytes.length > largestLogo) {
    const size = `${Math.ceil(bytes.length / 1000)} kB`
    throw new UsageError(`The logo ${file} has ${size}. Pass a file of up to 500 kB with --logo.`)
  }
  if (!kind.fits(bytes)) {
    throw new UsageError(`The logo ${file} is not ${kind.type}, whatever its name says. Pass an image with --logo.`)
  }
  return `data:${kind.type};base64,${bytes.toString('base64')}`
}
