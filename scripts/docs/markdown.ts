import { Marked, type Tokens } from 'marked'
import { Html, html, lines } from '../../conformance/report/html-text.ts'

/** Returns what a link leads to on these pages; undefined if they do not have it. */
type FindPlace = (target: string) => string | undefined

/** Returns the rows below the heads of the tables in a Markdown text, each as the texts of its cells. */
export function rowsIn(markdown: string): string[][] {
  const tables = new Marked().lexer(markdown).filter((token): token is Tokens.Table => token.type === 'table')
  return tables.flatMap(({ rows }) => rows.map((row) => row.map(({ text }) => text)))
}

/** Returns a text of Markdown without its marks. */
export function withoutMarks(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)|[`*]/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Returns the anchor of a heading or a row. */
export function anchorOf(text: string): string {
  return withoutMarks(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
}

/** Renders Markdown for a page: its title is below that of the page, headings and rows have anchors, and links lead to other pages. */
export function markdownToHtml(markdown: string, find: FindPlace): Html {
  const marked = new Marked({
    renderer: {
      code: ({ text }) => html`<pre>${lines(text)}</pre>\n`.text,
      heading({ tokens, depth, text }) {
        const level = Math.min(depth + 1, 3)
        return `<h${level} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${level}>\n`
      },
      link({ raw, href, tokens }) {
        // An address in a message is no link.
        if (!raw.startsWith('[')) return html`${raw}`.text
        const [place, shown] = [find(href), new Html(this.parser.parseInline(tokens))]
        if (place !== undefined) return html`<a href="${place}">${shown}</a>`.text
        return html`${shown} (<code>${new URL(href, 'file:///docs/').pathname.slice(1)}</code>)`.text
      },
      table({ header, rows }) {
        const cells = (row: readonly Tokens.TableCell[], tag: string) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag.slice(0, 2)}>`).join('')
        const body = rows.map((row) => `<tr id="${anchorOf(row[0]?.text ?? '')}">${cells(row, 'td')}</tr>\n`)
        return `<table><thead><tr>${cells(header, 'th scope="col"')}</tr></thead>\n<tbody>${body.join('')}</tbody></table>\n`
      },
    },
  })
  return new Html(marked.parse(markdown, { async: false }))
}
