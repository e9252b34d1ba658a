import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { marks } from '../../src/node/docs-marks.ts'
import type { Node } from '../contract.ts'
import { redocly } from '../redocly.ts'
import { bar, barStyle, type ReferenceName } from './page.ts'
import { sampleLanguages } from './samples.ts'
import { withStatements } from './statements.ts'

/** Renders the reference of a contract with `redocly build-docs` as one page. */
export async function referencePage(document: Node, name: ReferenceName): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'countersign-docs-'))
  try {
    const contract = join(scratch, 'openapi.json')
    const template = join(scratch, 'template.hbs')
    const page = join(scratch, name)
    await writeFile(contract, JSON.stringify(withStatements(document)))
    await writeFile(template, templateText(name))
    // Browsers load no modules from `file:` URLs, so the script is inlined.
    const options = ['--inlineBundle', '--template', template, '--openapi', JSON.stringify(redocOptions)]
    const { code, stderr } = await redocly(['build-docs', contract, '-o', page, ...options])
    if (code !== 0) throw new Error(`redocly build-docs could not write ${name}. It printed: ${stderr}`)
    return withoutLogo(await readFile(page, 'utf8'))
  } finally {
    await rm(scratch, { recursive: true })
  }
}

/** Copies the licences of the script that the references contain. */
export async function copyLicences(folder: string): Promise<void> {
  for (const name of ['LICENSE', 'THIRD_PARTY_NOTICES']) {
    const file = new URL(name, import.meta.resolve('@redocly/cli/package.json'))
    await copyFile(fileURLToPath(file), join(folder, `redoc.${name}.txt`))
  }
}

const redocOptions = {
  hideSchemaTitles: true,
  jsonSamplesExpandLevel: 4,
  // Redoc shows only the languages in this list.
  codeSamples: {
    languages: [...sampleLanguages.map(({ lang, label }) => ({ lang, label })), { lang: 'payload', label: 'Payload' }],
  },
}

/** Replaces Redoc's logo, which it loads from a CDN, by its name as text. */
function withoutLogo(page: string): string {
  const picture = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(-full)?\.svg/g
  if (page.match(picture)?.length !== 2)
    throw new Error(
      "Redoc's logo was not found in the page. Adapt the pattern in withoutLogo to this version of Redoc.",
    )
  const name =
    '<svg xmlns="http://www.w3.org/2000/svg" width="44" height="16"><text y="12" font-family="sans-serif" font-size="11" fill="#667">Redocly</text></svg>'
  return page.replaceAll(picture, `data:image/svg+xml,${encodeURIComponent(name).replaceAll("'", '%27')}`)
}

/** Forbids all network access by the script. */
const policy =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src data:; font-src data:; worker-src blob:"

/** Gives documented and assumed statements different colours. */
const labelStyle = `
a[href^="traceability.html#"],a[href^="questions.html#"]{display:inline-block;padding:0 .5em;border:1px solid currentColor!important;border-radius:999px;font-size:.8rem;line-height:1.5;text-decoration:none!important;overflow-wrap:anywhere;margin:.1em .1em .1em 0}
a[href^="traceability.html#"]{color:#0d6832!important;background:#dcf3e4}
a[href^="questions.html#"]{color:#7a4a00!important;background:#fdefd0}
.dark a[href^="traceability.html#"]{color:#7ee2a2!important;background:#12351f}
.dark a[href^="questions.html#"]{color:#f5cb7a!important;background:#3d2c0c}
.bar-of-pages>div{max-width:none}
a[href^="try.html#"]{display:inline-block;padding:.2em .7em;border:1px solid currentColor!important;border-radius:6px;text-decoration:none!important;margin:0 0 .4em}
/* The bar has one search of all pages. */
[data-testid="search-trigger"]{display:none!important}
body{padding:0;margin:0}
`

/** Redoc shows nothing if it may not read the cookies or the storage, as in a page that a server has put into a sandbox. */
const storage = `for (const [owner, name, value] of [
  [document, 'cookie', ''],
  [window, 'localStorage', { getItem: () => null, setItem() {}, removeItem() {} }],
  [window, 'sessionStorage', { getItem: () => null, setItem() {}, removeItem() {} }],
]) {
  try {
    owner[name]
  } catch {
    Object.defineProperty(owner, name, { value, writable: true })
  }
}`

/** Redoc opens its own search, of this page only, with these keys. They lead to the search of all pages instead. */
const searchKeys = `addEventListener('keydown', (event) => {
  const isTyping = event.target.closest?.('input,textarea,select,[contenteditable]')
  if (!(event.key === '/' && !isTyping) && !(event.key === 'k' && (event.ctrlKey || event.metaKey))) return
  event.preventDefault()
  event.stopImmediatePropagation()
  document.querySelector('.bar-of-pages input').focus()
}, true)`

const templateText = (name: ReferenceName) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{title}}${marks.title}
<style>${barStyle}${labelStyle}</style>
<script>${storage}
${searchKeys}</script>
{{{redocHead}}}
</head>
<body>
${bar(name).text}
{{{redocHTML}}}
</body>
</html>
`
