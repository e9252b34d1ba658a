import { entities, inert, inertLines } from '../wire/inert.ts'

/** HTML that may stand in a page as it is; only `html` makes it. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | undefined | readonly Part[]

/** HTML from a template. Whatever stands in its gaps and is no HTML itself is escaped, so nobody can forget to. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, string, place) => text + written(parts[place - 1]) + string))
}

/** Text of several lines, as it came; hidden characters are made visible. */
export function lines(text: string): Html {
  return new Html(entities(inertLines(text)))
}

/** A sentence of the catalogue, whose backticks mean code. */
export function prose(text: string): Html {
  return html`${text.split('`').map((part, place) => (place % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

function written(part: Part): string {
  if (part === undefined) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(written).join('')
  return entities(inert(String(part)))
}

/** What a page says of itself that needs no script and fetches nothing. */
export const staticHead = html`<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">`
