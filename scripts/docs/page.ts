import { createHash } from 'node:crypto'
import { style } from '../../conformance/report/html-style.ts'
import { Html, html } from '../../conformance/report/html-text.ts'
import { marks } from '../../src/node/docs-marks.ts'

/** The pages in the order of the navigation bar: about the API, then about the mock. `/docs/` shows the first. */
export const pages = {
  'index.html': 'API reference',
  'try.html': 'Try it',
  'questions.html': 'Open questions',
  'traceability.html': 'Traceability',
  'errors.html': 'Errors',
  'search.html': 'Search',
  'openapi.yaml': 'openapi.yaml',
  'guides.html': 'Guides',
  'troubleshooting.html': 'Troubleshooting',
  'admin.html': 'Admin API of the mock',
} as const

export type PageName = Exclude<keyof typeof pages, 'openapi.yaml'>

/** The pages that Redoc writes. The others are ours. */
export type ReferenceName = 'index.html' | 'admin.html'

/** The style of the navigation bar. On Redoc's page it uses Redoc's colours. */
export const barStyle = `
.bar-of-pages{background:var(--bg-color,var(--card));border-bottom:1px solid var(--border-color-secondary,var(--line));font:15px/1.4 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
.bar-of-pages>div{display:flex;flex-wrap:wrap;gap:.35rem 1.5rem;align-items:center;max-width:64rem;margin:0 auto;padding:.55rem 1.25rem}
.bar-of-pages .brand{display:flex;align-items:center;gap:.6rem;font-weight:700;color:var(--text-color-primary,var(--text));overflow-wrap:anywhere}
.bar-of-pages .brand img{display:block;max-height:2rem;max-width:10rem}
.bar-of-pages ul{display:flex;flex-wrap:wrap;flex:1 1 28rem;gap:.1rem 1.1rem;margin:0;padding:0;list-style:none;font-size:inherit}
.bar-of-pages li{margin:0}
.bar-of-pages a{display:inline-block;padding:.2rem 0;color:var(--text-color-secondary,var(--muted));text-decoration:none}
.bar-of-pages a:hover{text-decoration:underline}
.bar-of-pages a[aria-current]{color:var(--text-color-primary,var(--text));font-weight:600;box-shadow:0 2px 0 currentColor}
.bar-of-pages form{margin:0;flex:0 1 13rem}
.bar-of-pages input{box-sizing:border-box;width:100%;padding:.3rem .6rem;font:inherit;color:var(--text-color-primary,var(--text));background:var(--bg-color,var(--page));border:1px solid var(--text-color-secondary,var(--muted));border-radius:6px}
@media (max-width:40rem){.bar-of-pages>div{padding:.45rem .85rem}.bar-of-pages ul{gap:0 1rem}.bar-of-pages form{flex-basis:100%}}
`

/** Renders the navigation bar, with the search. */
export function bar(current: PageName): Html {
  const shown = Object.entries(pages).filter(([name]) => name !== 'search.html')
  return html`<nav class="bar-of-pages" aria-label="Documentation"><div>
${new Html(marks.brand)}
<ul>
${shown.map(
  ([name, title]) =>
    html`<li><a href="${name}"${name === current ? html` aria-current="page"` : undefined}>${title}</a></li>\n`,
)}</ul>
<form role="search" action="search.html"><input type="search" name="q" aria-label="Search the documentation" placeholder="Search" autocomplete="off"></form>
</div></nav>`
}

/** The styles that these pages add to those of a report. */
const pageStyle = `
h1{font-size:1.75rem;line-height:1.25;color:var(--text);margin:0 0 .5rem}
header{padding-top:1.75rem}
main{padding-bottom:3rem}
blockquote{margin:.4rem 0;padding-left:.8rem;border-left:3px solid var(--line)}
:target{scroll-margin-top:1rem}
.card:target,details.check:has(:target){outline:2px solid var(--link);outline-offset:-1px}
details.check :target{scroll-margin-top:5rem}
.card h3{display:block;margin:0 0 .35rem}
.badge{width:auto}
ul.plain{margin:0;padding:0;list-style:none}
ul.contents{columns:2;margin:1rem 0;padding-left:1.2rem}
dd p:first-child,dd ul:first-child{margin-top:0}
@media (max-width:40rem){ul.contents{columns:1}}
`

/** The parts that a page adds to the common ones. */
interface Extras {
  readonly style?: string
  /** The page's script. The content security policy allows no other. */
  readonly script?: string
  /** Elements for the head. */
  readonly head?: Html
  /** Further directives of the page's policy. */
  readonly policy?: string
}

/** Renders a page that needs no other file. */
export function page(name: PageName, introduction: Html, body: Html, extras: Extras = {}): string {
  const { script } = extras
  const scripts =
    script === undefined ? '' : `; script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`
  const policy = `default-src 'none'; style-src 'self' 'unsafe-inline'; img-src data:${scripts}${extras.policy ? `; ${extras.policy}` : ''}`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${extras.head}
<title>${pages[name]}${new Html(marks.title)}
<style>${new Html(style + pageStyle + barStyle + (extras.style ?? ''))}</style>
</head>
<body>
${bar(name)}
<header>
<h1>${pages[name]}</h1>
${introduction}
</header>
<main>
${body}
</main>
${script === undefined ? undefined : html`<script>${new Html(script)}</script>`}
</body>
</html>
`.text
}
