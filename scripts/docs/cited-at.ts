import { type Html, html } from '../../conformance/report/html-text.ts'
import type { Citation } from '../citations.ts'

/** Renders the list of places at which the contract cites a requirement or a gap. */
export function citedAt(id: string, citations: readonly Citation[]): Html {
  const places = citations.filter((citation) => citation.id === id)
  return html`<ul class="plain">${places.map(({ place, pointer }) => html`<li>${place} <code class="muted">${pointer}</code></li>`)}</ul>`
}
