/** The colours of the page by meaning. Text has a contrast of at least 4.5 (WCAG 2.2 AA). */
export const palettes = {
  light: {
    page: '#f6f7f9',
    card: '#ffffff',
    code: '#f1f3f6',
    line: '#d5dae1',
    text: '#1b2330',
    muted: '#56606f',
    link: '#0b57b0',
    good: '#0d6832',
    goodBack: '#dcf3e4',
    bad: '#a5111d',
    badBack: '#fde4e4',
    unsure: '#7a4a00',
    unsureBack: '#fdefd0',
    neutral: '#4b5563',
    neutralBack: '#e8ebef',
    broken: '#6b21a8',
    brokenBack: '#f0e4fb',
  },
  dark: {
    page: '#11151b',
    card: '#1a2029',
    code: '#131922',
    line: '#343d4a',
    text: '#e6eaf0',
    muted: '#a3adba',
    link: '#86b7fb',
    good: '#7ee2a2',
    goodBack: '#12351f',
    bad: '#ffa3a3',
    badBack: '#451a1d',
    unsure: '#f5cb7a',
    unsureBack: '#3d2c0c',
    neutral: '#c0c8d2',
    neutralBack: '#2b333f',
    broken: '#d9b4fe',
    brokenBack: '#351c4d',
  },
} as const

function variables(palette: Readonly<Record<string, string>>): string {
  return Object.entries(palette)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';')
}

const tones = ['good', 'bad', 'unsure', 'neutral', 'broken']
  .map((tone) => `.${tone}{--tone:var(--${tone});--back:var(--${tone}Back)}`)
  .join('\n')

/** The page's style sheet. */
export const style = `
:root{color-scheme:light dark;${variables(palettes.light)}}
@media (prefers-color-scheme:dark){:root{${variables(palettes.dark)}}}
${tones}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
header,main,footer{max-width:64rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:2rem}
footer{padding-bottom:3rem;color:var(--muted);font-size:.875rem}
h1{margin:0;font-size:1rem;font-weight:600;color:var(--muted)}
h2{margin:2.75rem 0 .75rem;font-size:1.35rem;line-height:1.3}
h3{margin:1.75rem 0 .5rem;font-size:1.05rem;display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline;justify-content:space-between}
h3 small{font-weight:400;color:var(--muted);font-size:.875rem}
p{margin:.4rem 0}
a{color:var(--link)}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:4px}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.84em}
code,.wrap{overflow-wrap:anywhere}
pre{margin:.35rem 0 .9rem;padding:.7rem .85rem;background:var(--code);border:1px solid var(--line);border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere;max-height:26rem;overflow:auto;line-height:1.5}
.muted{color:var(--muted)}
.banner{margin:.75rem 0 1rem;padding:1.1rem 1.3rem;border-radius:10px;border:1px solid var(--tone);border-left-width:8px;background:var(--back)}
.banner strong{display:block;font-size:1.75rem;line-height:1.25;color:var(--tone)}
.facts{display:flex;flex-wrap:wrap;gap:.15rem 1.5rem;margin:0;padding:0;list-style:none;color:var(--muted);font-size:.9rem}
.counts{display:grid;grid-template-columns:repeat(auto-fit,minmax(7.2rem,1fr));gap:.6rem;margin:1rem 0;padding:0;list-style:none}
.counts li{padding:.55rem .8rem;border:1px solid var(--line);border-radius:8px;background:var(--card);font-size:.85rem;color:var(--muted)}
.counts b{display:block;font-size:1.5rem;line-height:1.25;color:var(--tone)}
.counts .zero b{color:var(--muted);font-weight:400}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.1rem;margin:0;padding:0;list-style:none;font-size:.9rem}
.todo{padding-left:1.4rem;margin:.5rem 0}
.todo>li{margin:.5rem 0}
.todo ul{margin:.15rem 0;padding:0;list-style:none;font-size:.93rem;color:var(--muted)}
.badge{flex:none;display:inline-block;width:7.6rem;padding:.1rem .55rem;border-radius:999px;background:var(--back);color:var(--tone);font-size:.8rem;font-weight:600;text-align:center;white-space:nowrap}
.tag{display:inline-block;padding:0 .45rem;border:1px solid var(--line);border-radius:4px;font-size:.78rem;color:var(--muted);white-space:nowrap}
details.check,.card{background:var(--card);border:1px solid var(--line);margin:-1px 0 0}
h3+details.check,.card{border-top-left-radius:8px;border-top-right-radius:8px}
details.check:last-child,.card{border-bottom-left-radius:8px;border-bottom-right-radius:8px}
.card{margin:.5rem 0}
details.check[open]{border-left:4px solid var(--tone)}
summary{cursor:pointer}
details.check>summary{display:flex;gap:.8rem;align-items:baseline;padding:.45rem .9rem;list-style:none}
details.check>summary::-webkit-details-marker{display:none}
details.check>summary::after{content:"+";margin-left:auto;color:var(--muted);font-weight:600}
details.check[open]>summary::after{content:"−"}
details.check>summary:hover{background:var(--code)}
.body{padding:0 .9rem .8rem;border-top:1px solid var(--line)}
.message{margin:.75rem 0;padding-left:.8rem;border-left:3px solid var(--tone)}
.card{padding:.75rem .95rem}
details.exchange{margin:.45rem 0}
details.exchange>summary{padding:.15rem 0;overflow-wrap:anywhere}
details.exchange>div{padding-left:1rem}
.label{margin:.6rem 0 0;font-size:.84rem;font-weight:600;color:var(--muted)}
dl.answer{display:grid;grid-template-columns:9rem 1fr;gap:.2rem 1rem;margin:.4rem 0 0}
dl.answer dt{color:var(--muted);font-size:.9rem}
dl.answer dd{margin:0;overflow-wrap:anywhere}
.question{display:flex;gap:.8rem;align-items:baseline}
.question p{margin:0;font-weight:600}
table{width:100%;border-collapse:collapse;background:var(--card);border:1px solid var(--line);border-radius:8px;font-size:.93rem}
table+table{margin-top:1rem}
caption{text-align:left;padding:.3rem 0;color:var(--muted);font-size:.9rem}
th,td{text-align:left;vertical-align:top;padding:.45rem .8rem;border-top:1px solid var(--line);overflow-wrap:anywhere}
td.number,th.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
@media (max-width:40rem){
  header,main,footer{padding-left:.85rem;padding-right:.85rem}
  details.check>summary,.question{flex-wrap:wrap;gap:.3rem .6rem}
  details.check>summary .fact{order:3;flex-basis:100%}
  dl.answer{grid-template-columns:1fr}
  dl.answer dd{margin-bottom:.4rem}
  .counts{grid-template-columns:repeat(3,1fr)}
  .counts .zero{display:none}
  .badge{width:auto}
}
@media print{
  :root{${variables(palettes.light)}}
  body{background:#fff;font-size:10.5pt}
  nav,.log{display:none}
  details.check::details-content{content-visibility:visible;block-size:auto}
  details.check,.card,tr{break-inside:avoid}
  h2,h3{break-after:avoid}
  pre{max-height:none}
  *{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
`
