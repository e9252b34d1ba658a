import { type Html, html, lines } from '../../conformance/report/html-text.ts'

/** Returns what a link leads to on these pages; undefined if they do not have it. */
type FindPlace = (target: string) => string | undefined

/** Returns the rows below the heads of the tables in a Markdown text, each as the texts of its cells. */
export function rowsIn(markdown: string): string[][] {
  return markdown.split(/\n{2,}/).flatMap((block) => (block.startsWith('|') ? cellsOf(block).slice(1) : []))
}

/** Returns a text of Markdown without its marks. */
export function withoutMarks(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)|[`*]/g, '$1')
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

/** Renders Markdown with headings, paragraphs, tables, lists and code, which is all that the guides have. Rows have anchors. */
export function markdownToHtml(markdown: string, find: FindPlace): Html {
  const blocks = markdown.match(/^```[\s\S]*?^```$|^(?!```)\S[\s\S]*?(?=\n\n|\n```|\n*$(?![\s\S]))/gm) ?? []
  return html`${blocks.map((block) => html`${blockToHtml(block, find)}\n`)}`
}

function blockToHtml(block: string, find: FindPlace): Html {
  const text = (part: string) => inlineToHtml(part.replaceAll('\n', ' '), find)
  if (block.startsWith('```')) return html`<pre>${lines(block.replaceAll(/^```.*\n?/gm, '').trimEnd())}</pre>`
  const [, marks = '', title = ''] = block.match(/^(#+) (.*)$/) ?? []
  if (marks === '#') return html`<h2 id="${anchorOf(title)}">${text(title)}</h2>`
  if (marks) return html`<h3 id="${anchorOf(title)}">${text(title)}</h3>`
  if (block.startsWith('- '))
    return html`<ul>${block
      .split(/^- /m)
      .slice(1)
      .map((item) => html`<li>${text(item)}</li>`)}</ul>`
  if (!block.startsWith('|')) return html`<p>${text(block)}</p>`
  const [head = [], ...rows] = cellsOf(block)
  return html`<table><thead><tr>${head.map((cell) => html`<th scope="col">${text(cell)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr id="${anchorOf(row[0] ?? '')}">${row.map((cell) => html`<td>${text(cell)}</td>`)}</tr>\n`)}</tbody></table>`
}

/** Returns the cells of a table, without the line below its head. */
function cellsOf(table: string): string[][] {
  const lines = table
    .trim()
    .split('\n')
    .filter((_, place) => place !== 1)
  return lines.map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('\\|', '|').replaceAll('&lt;', '<')),
  )
}

function inlineToHtml(text: string, find: FindPlace): Html {
  const parts = text.split(/(`[^`]+`|\[[^\]]*\]\([^)]*\)|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/)
  return html`${parts.map((part) => {
    const [, label, target = ''] = part.match(/^\[(.*)\]\((.*)\)$/) ?? []
    if (label !== undefined) {
      const [place, shown] = [find(target), inlineToHtml(label, find)]
      if (place !== undefined) return html`<a href="${place}">${shown}</a>`
      return html`${shown} (<code>${new URL(target, 'file:///docs/').pathname.slice(1)}</code>)`
    }
    if (/^`.+`$/s.test(part)) return html`<code>${part.slice(1, -1)}</code>`
    if (/^\*\*.+\*\*$/s.test(part)) return html`<strong>${part.slice(2, -2)}</strong>`
    return /^\*.+\*$/s.test(part) ? html`<em>${part.slice(1, -1)}</em>` : html`${part}`
  })}`
}
