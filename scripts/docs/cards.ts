import { type Html, html } from '../../conformance/report/html-text.ts'
import { bySection, sectionTitle } from '../../conformance/report/sections.ts'
import type { Citation } from '../citations.ts'

/** Renders the list of places at which the contract cites a requirement or a gap. */
export function citedAt(id: string, citations: readonly Citation[]): Html {
  const places = citations.filter((citation) => citation.id === id)
  return html`<ul class="plain">${places.map(({ place, pointer }) => html`<li>${place} <code class="muted">${pointer}</code></li>`)}</ul>`
}

/** Renders a card for each statement of the catalogue, below the headings of their sections. */
export function cardsBySection<Id>(ids: readonly Id[], sectionOf: (id: Id) => string, card: (id: Id) => Html): Html {
  const sections = [...new Set(ids.map(sectionOf))].sort(bySection)
  return html`${sections.map(
    (section) => html`<h2 id="section-${section}">${sectionTitle(section)}</h2>
${ids.filter((id) => sectionOf(id) === section).map(card)}`,
  )}`
}
