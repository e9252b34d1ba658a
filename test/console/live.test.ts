import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mostKept, type PageState, withChanges } from '../../src/console/live/live.ts'
import {
  type EventPages,
  eventRows,
  mostPages,
  numberOfPage,
  pageSize,
  withPage,
} from '../../src/console/live/past-events.ts'
import { hashOf, type PageRoute, routeOf, views } from '../../src/console/live/route.ts'
import { mergeFirst } from '../../src/console/parts/lists.tsx'

test('an address keeps every route', () => {
  const text = fc.string({ minLength: 1 })
  const route: fc.Arbitrary<PageRoute> = fc.record(
    { view: fc.constantFrom(...views), tenant: text, as_of: fc.nat(), id: text, workflow: text, status: text },
    { requiredKeys: ['view'] },
  )
  fc.assert(
    fc.property(route, (one) => {
      expect(routeOf(hashOf(one))).toEqual(one)
    }),
  )
})

test('an address of no view is no route', () => {
  expect([routeOf(''), routeOf('#nowhere'), routeOf('#history?as_of=-1')]).toEqual([
    undefined,
    undefined,
    { view: 'history' },
  ])
})

function request(id: number) {
  const at = new Date(0).toISOString()
  return {
    ...{ request_id: String(id), at, tenant_id: null, operation_id: null, method: 'GET', path: '/' },
    ...{ status: 200, duration_ms: 1, code: null, detail: null },
  }
}

const event = (seq: number) => ({ seq, at: '', type: 'ObjectStored', tenant_id: 'a' })

const empty: PageState = {
  ...{ connection: 'open', events: [], requests: [], lost: 0, next_answers: 0, scenario: '', version: '', tenants: 0 },
  ...{ last_event: 0, generation: 0, route: { view: 'start' }, needsToken: false },
}

function changes(events: readonly number[], requests: readonly number[], lost = 0) {
  return {
    ...{ events: events.map(event), requests: requests.map(request), lost, tenants: 1, next_answers: 0 },
    ...{ last_event: events.at(-1) ?? 0, last_request: requests.at(-1) ?? 0, generation: '1' },
    ...{ clock: { now: '', speed: 1 }, settings: {}, scenario: 'empty', version: '1' },
  }
}

test('a page keeps the latest events and requests up to its limit', () => {
  const many = Array.from({ length: mostKept * 2 + 1 }, (_, index) => index + 1)
  const { events, requests, lost } = [many.slice(0, 500), many.slice(500)]
    .map((part) => changes(part, part, 2))
    .reduce(withChanges, empty)
  expect([events.length, requests.length, lost]).toEqual([mostKept, mostKept, 4])
  expect([events.at(-1)?.seq, requests.at(-1)?.request_id]).toEqual([many.length, String(many.length)])
})

test('the events of a state that was replaced are dropped, to be read again', () => {
  const replaced = { ...changes([4], []), generation: '2' }
  const { events, generation } = [changes([1, 2, 3], []), replaced].reduce(withChanges, empty)
  expect([events, generation]).toEqual([[], 1])
})

test('a list stays complete when its first page is loaded again', () => {
  fc.assert(
    fc.property(fc.nat(60), fc.nat(20), fc.integer({ min: 1, max: 20 }), fc.nat(3), (old, added, size, pages) => {
      // Entries are numbers; the newest is the largest.
      const list = (count: number) => Array.from({ length: count }, (_, index) => String(count - index))
      const page = (all: readonly string[], length: number) => {
        const items = all.slice(0, length)
        return { items, total: all.length, next: length < all.length ? (items.at(-1) ?? null) : null }
      }
      const merged = mergeFirst(page(list(old), size * pages), page(list(old + added), size), (id) => id)
      expect(merged.items).toEqual(list(old + added).slice(0, merged.items.length))
      expect(merged.total).toBe(old + added)
      expect(merged.next).toBe(merged.items.length < old + added ? (merged.items.at(-1) ?? null) : null)
    }),
  )
})

/** Returns the events of a page, as far as a journal has them. */
const pageOfEvents = (page: number, last: number) =>
  Array.from({ length: pageSize }, (_, index) => page * pageSize + index + 1)
    .filter((seq) => seq <= last)
    .map(event)

test('the rows of a journal are its events, from the stream or a page', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3000 }), fc.nat(3000), fc.nat(500), fc.nat(3000), (last, drop, live, at) => {
      const first = Math.min(last, drop + 1)
      const fresh = Array.from({ length: live }, (_, index) => event(last - live + index + 1)).filter(
        ({ seq }) => seq > 0,
      )
      const index = at % (last - first + 1)
      const seq = last - index
      const without = eventRows(first, last, fresh, new Map())
      const pages = withPage(new Map(), numberOfPage(seq), pageOfEvents(numberOfPage(seq), last))
      const rows = eventRows(first, last, fresh, pages)
      expect([rows.count, rows.idAt(index), rows.indexOf(String(seq))]).toEqual([last - first + 1, String(seq), index])
      expect(rows.at(index)?.seq).toBe(seq)
      expect(without.at(index)?.seq).toBe(seq > last - live ? seq : undefined)
      expect(rows.indexOf(String(last + 1))).toBe(-1)
    }),
  )
})

test('a bounded number of pages is kept, the latest loaded ones', () => {
  const numbers = Array.from({ length: mostPages + 5 }, (_, index) => index)
  const pages = numbers.reduce<EventPages>((kept, page) => withPage(kept, page, pageOfEvents(page, 1e6)), new Map())
  expect([...pages.keys()]).toEqual(numbers.slice(5))
  expect([...withPage(pages, 7, []).keys()].at(-1)).toBe(7)
  expect(withPage(pages, 7, []).size).toBe(mostPages)
})
