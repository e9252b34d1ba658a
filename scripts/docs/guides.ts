import { readFileSync } from 'node:fs'
import { html } from '../../conformance/report/html-text.ts'
import type { Entry } from './browser/rank.ts'
import { anchorOf, markdownToHtml, rowsIn, withoutMarks } from './markdown.ts'
import { page } from './page.ts'

const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')
const guides = ['guide-screen.md', 'guide-red-run.md', 'guide-publish.md'].map((file) => {
  const text = read(file)
  return { file, text, title: text.match(/^# (.*)$/m)?.[1] ?? '' }
})
const troubles = read('troubleshooting.md').replace(/^# .*\n/, '')
const [, commands = ''] = read('errors.md').split(/^## Command line$/m)

const places: Readonly<Record<string, string>> = {
  'troubleshooting.md': 'troubleshooting.html',
  'errors.md': 'errors.html',
  'admin-api.md': 'admin.html',
  ...Object.fromEntries(guides.map(({ file, title }) => [file, `guides.html#${anchorOf(title)}`])),
}
const find = (target: string) => places[target]

/** Renders the page with the guides. */
export function guidesPage(): string {
  const introduction = html`<p>Each takes five minutes, in a project that has the package <code>countersign</code>.</p>
<ul>${guides.map(({ title }) => html`<li><a href="#${anchorOf(title)}">${title}</a></li>`)}</ul>`
  return page('guides.html', introduction, html`${guides.map(({ text }) => markdownToHtml(text, find))}`)
}

/** Renders the page on troubleshooting, with every error of the command line. */
export function troubleshootingPage(): string {
  const introduction = html`<p>Messages that stop users, and every error of the command line.</p>`
  const body = html`${markdownToHtml(troubles, find)}<h3 id="command-line">Command line</h3>${markdownToHtml(commands, find)}`
  return page('troubleshooting.html', introduction, body)
}

/** Lists the guides and the rows on troubleshooting for the search. */
export function guideEntries(): Entry[] {
  const rows = [...rowsIn(troubles), ...rowsIn(commands)].map(([first = '', ...others]) => ({
    kind: 'Troubleshooting',
    title: withoutMarks(first),
    text: withoutMarks(others.join(' ')),
    href: `troubleshooting.html#${anchorOf(first)}`,
  }))
  const pages = guides.map(({ text, title }) => ({
    kind: 'Guides',
    title,
    text: withoutMarks(text.split('\n\n')[1] ?? ''),
    href: `guides.html#${anchorOf(title)}`,
  }))
  return [...pages, ...rows]
}
