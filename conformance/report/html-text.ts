import { escapeMarkup, showHidden, showHiddenInLines } from '../wire/inert.ts'

/** Escaped HTML. Only `html` and `lines` create it. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | undefined | readonly Part[]

/** Creates HTML from a template. Escapes all inserted values that are not `Html`. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, string, place) => text + toHtmlText(parts[place - 1]) + string))
}

/** Escapes a text of several lines, and makes hidden characters visible. */
export function lines(text: string): Html {
  return new Html(escapeMarkup(showHiddenInLines(text)))
}

/** Renders a sentence of the catalogue, with backticks as code. */
export function prose(text: string): Html {
  return html`${text.split('`').map((part, place) => (place % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

function toHtmlText(part: Part): string {
  if (part === undefined) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(toHtmlText).join('')
  return escapeMarkup(showHidden(String(part)))
}

/** The head of a page without scripts, which needs no other file. */
export const staticHead = html`<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self' 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">`

/** Returns a file, and for a page also a file with its style, to which it is linked: some servers forbid styles in pages. */
export function withStylesheet([name, text]: readonly [name: string, text: string]): [name: string, text: string][] {
  if (!name.endsWith('.html')) return [[name, text]]
  const sheet = name.replace(/html$/, 'css')
  const head = text.slice(0, text.indexOf('</head>'))
  const styles = [...head.matchAll(/<style[^>]*>([^<]*)<\/style>/g)].map(([, style]) => style)
  const link = `<link rel="stylesheet" href="${sheet}">\n<style`
  return [
    [name, text.replace('<style', () => link)],
    [sheet, styles.join('\n')],
  ]
}
