import { style } from '../../conformance/report/html-style.ts'
import { Html, html, staticHead } from '../../conformance/report/html-text.ts'

/** The pages in the order of the navigation bar. `/docs/` shows the first; the last is the contract itself. */
export const pages = {
  'index.html': 'API reference',
  'questions.html': 'Open questions',
  'traceability.html': 'Traceability',
  'errors.html': 'Errors',
  'openapi.yaml': 'openapi.yaml',
} as const

export type PageName = Exclude<keyof typeof pages, 'openapi.yaml'>

/** The style of the navigation bar. On Redoc's page it uses Redoc's colours. */
export const barStyle = `
.bar-of-pages{background:var(--bg-color,var(--card));border-bottom:1px solid var(--border-color-secondary,var(--line));font:15px/1.4 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
.bar-of-pages ul{display:flex;flex-wrap:wrap;gap:.1rem 1.25rem;max-width:64rem;margin:0 auto;padding:.55rem 1.25rem;list-style:none}
.bar-of-pages li{margin:0}
.bar-of-pages a{display:inline-block;padding:.2rem 0;color:var(--text-color-secondary,var(--muted));text-decoration:none}
.bar-of-pages a:hover{text-decoration:underline}
.bar-of-pages a[aria-current]{color:var(--text-color-primary,var(--text));font-weight:600;box-shadow:0 2px 0 currentColor}
@media (max-width:40rem){.bar-of-pages ul{padding:.45rem .85rem;gap:0 1rem}}
`

/** Renders the navigation bar. */
export function bar(current: PageName): Html {
  return html`<nav class="bar-of-pages" aria-label="Documentation"><ul>
${Object.entries(pages).map(
  ([name, title]) =>
    html`<li><a href="${name}"${name === current ? html` aria-current="page"` : undefined}>${title}</a></li>\n`,
)}</ul></nav>`
}

/** The styles that these pages add to those of a report. */
const pageStyle = `
h1{font-size:1.75rem;line-height:1.25;color:var(--text);margin:0 0 .5rem}
header{padding-top:1.75rem}
main{padding-bottom:3rem}
blockquote{margin:.4rem 0;padding-left:.8rem;border-left:3px solid var(--line)}
:target{scroll-margin-top:1rem}
.card:target,details:target{outline:2px solid var(--link);outline-offset:-1px}
.card h3{display:block;margin:0 0 .35rem}
.badge{width:auto}
ul.plain{margin:0;padding:0;list-style:none}
ul.contents{columns:2;margin:1rem 0;padding-left:1.2rem}
dd p:first-child,dd ul:first-child{margin-top:0}
@media (max-width:40rem){ul.contents{columns:1}}
`

/** Renders a page without scripts and without external resources. */
export function page(name: PageName, introduction: Html, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
${staticHead}
<title>${pages[name]} - Countersign</title>
<style>${new Html(style + pageStyle + barStyle)}</style>
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
</body>
</html>
`.text
}
