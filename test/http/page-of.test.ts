import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { pageOf } from '../../src/http/admin/page-of.ts'
import { doAtOnce } from '../../src/world/slices.ts'

interface Entry {
  readonly at: number
  readonly id: string
}

/** Entries in the order in which they were made, several of them at the same time. */
const entries = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 20 }).map((pauses) => {
  let at = 0
  return pauses.map((pause, index): Entry => {
    at += pause
    return { at, id: `id${index}` }
  })
})

function page(all: readonly Entry[], limit: number, next: string | null): { list: Entry[]; next: string | null } {
  const query = new URLSearchParams({ limit: String(limit), ...(next !== null && { before: next }) })
  const written = doAtOnce(pageOf('list', query, { items: all, placeOf: (entry) => entry, write: (entry) => entry }))
  return JSON.parse(new TextDecoder().decode(written.bytes))
}

test('pages show every entry once, also if the oldest are dropped between two pages', () => {
  fc.assert(
    fc.property(entries, fc.integer({ min: 1, max: 5 }), fc.nat({ max: 20 }), (all, limit, dropped) => {
      const first = page(all, limit, null)
      const kept = all.slice(dropped)
      const shown = [...first.list]
      for (let { next } = first; next !== null; ) {
        const following = page(kept, limit, next)
        shown.push(...following.list)
        next = following.next
      }
      const unseen = kept.filter(({ id }) => !first.list.some((one) => one.id === id))
      expect(shown).toEqual([...first.list, ...unseen.toReversed()])
    }),
  )
})
