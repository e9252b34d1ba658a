import { create } from './element.ts'
import { type Entry, searchOf } from './rank.ts'

/** The results of a kind that are shown at once. */
const most = 8

const input = document.querySelector<HTMLInputElement>('input[name=q]')
const status = document.querySelector<HTMLElement>('#count')
const list = document.querySelector<HTMLElement>('#results')
const search = searchOf(JSON.parse(document.querySelector('#entries')?.textContent ?? '[]'))

function resultOf({ title, text, href }: Entry): HTMLElement {
  const item = create('li')
  item.append(create('a', title, { href }), create('p', text, { class: 'muted' }))
  return item
}

function groupOf(kind: string, found: readonly Entry[], all = false): HTMLElement {
  const group = create('section')
  const items = create('ul', '', { class: 'plain' })
  items.append(...found.slice(0, all ? found.length : most).map(resultOf))
  group.append(create('h2', `${kind} (${found.length})`), items)
  if (all || found.length <= most) return group
  const more = create('button', `Show ${found.length - most} more`, { type: 'button' })
  more.addEventListener('click', () => {
    const whole = groupOf(kind, found, true)
    group.replaceWith(whole)
    whole.querySelectorAll<HTMLElement>('a')[most]?.focus()
  })
  group.append(more)
  return group
}

function countOf(results: number): string {
  if (results === 0) return 'Nothing has all of these words. Try fewer or other words.'
  return `${results} ${results === 1 ? 'result' : 'results'}`
}

function show(): void {
  if (!input || !list || !status) return
  const found = search(input.value)
  const kinds = [...new Set(found.map(({ kind }) => kind))]
  list.replaceChildren(
    ...kinds.map((kind) =>
      groupOf(
        kind,
        found.filter((entry) => entry.kind === kind),
      ),
    ),
  )
  status.textContent = input.value.trim() === '' ? '' : countOf(found.length)
}

/** Moves the focus between the box and the results. */
function move(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (event.key === 'Escape' && document.activeElement !== input) input?.focus()
  if (step === undefined || !input) return
  const places: (Element | null)[] = [input, ...document.querySelectorAll('#results a, #results button')]
  const at = places.indexOf(document.activeElement)
  const next = places[at + step]
  if (at < 0 || !(next instanceof HTMLElement)) return
  event.preventDefault()
  next.focus()
}

const asked = new URLSearchParams(location.search).get('q')
if (input && asked !== null) input.value = asked
input?.addEventListener('input', show)
document.addEventListener('keydown', move)
// Also after a step back, when the browser fills in what was typed.
addEventListener('pageshow', show)
input?.focus()
