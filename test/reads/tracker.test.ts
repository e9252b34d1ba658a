import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Tracker } from '../../src/reads/tracker.ts'

/** Tracks a value, and collects what is noted of it. */
function tracked<Value>(value: Value) {
  const seen = new Map<string, Set<string>>()
  const tracker = new Tracker()
  const notes = {
    reader: () => undefined,
    note: (place: string, use: string) => void seen.set(place, new Set([...(seen.get(place) ?? []), use])),
  }
  const answer = tracker.track(structuredClone(value), notes)
  return {
    tracker,
    answer,
    places: () => {
      tracker.settle()
      return [...seen].map(([place, uses]) => `${place}: ${[...uses].sort().join(', ')}`).sort()
    },
  }
}

const details = {
  name: 'Contract',
  steps: [
    { step_id: 'legal', approvers: [{ email: 'lena@example.com' }] },
    { step_id: 'finance', approvers: [] },
  ],
  metrics: { total: 3, rate: null },
}

const json = fc.jsonValue({ maxDepth: 4 })

/** A way into a value: at each level, one of its members, chosen by a number. */
const path = fc.array(fc.nat(), { maxLength: 4 })

/** Follows a path in a value. Returns the member at its end, and its places. */
function walk(
  value: unknown,
  steps: readonly number[],
  read = (from: object, name: string): unknown => Reflect.get(from, name),
) {
  let at = value
  const places: string[] = []
  for (const step of steps) {
    if (at === null || typeof at !== 'object') break
    const names = Object.keys(at)
    const name = names[step % Math.max(1, names.length)]
    if (name === undefined) break
    places.push(Array.isArray(at) ? '*' : name.replaceAll('~', '~0').replaceAll('/', '~1'))
    at = read(at, name)
  }
  return { at, places }
}

describe('what is read', () => {
  test('equals what is read without tracking, and is noted at exactly its places', () => {
    fc.assert(
      fc.property(json, fc.array(path, { maxLength: 5 }), (value, paths) => {
        const { answer, places } = tracked(value)
        const expected = new Set<string>()
        for (const steps of paths) {
          const plain = walk(value, steps)
          // The names are those of the untracked value, so that only members are read.
          let at: unknown = answer
          walk(value, steps, (from, name) => {
            at = Reflect.get(at as object, name)
            return Reflect.get(from, name)
          })
          for (const index of plain.places.keys()) expected.add(`/${plain.places.slice(0, index + 1).join('/')}: value`)
          expect(typeof at).toBe(typeof plain.at)
        }
        expect(places()).toEqual([...expected].sort())
        expect(JSON.stringify(answer)).toBe(JSON.stringify(value))
        expect(isDeepStrictEqual({ ...Object(answer) }, { ...Object(value) })).toBe(true)
      }),
    )
  })

  test('a copy is the value, and has no proxies', () => {
    fc.assert(
      fc.property(json, (value) => {
        const { answer, tracker } = tracked(value)
        expect(structuredClone(tracker.copy(answer))).toStrictEqual(value)
        expect(structuredClone(tracker.copy({ inside: [answer] }))).toStrictEqual({ inside: [value] })
      }),
    )
  })

  test('writing, sorting and deleting leave the same value as without tracking', () => {
    type Changed = typeof details & { extra?: unknown }
    const change = (value: Changed) => {
      value.name = 'Other'
      value.extra = value.steps[0]
      value.steps.reverse()
      value.steps.push({ step_id: 'new', approvers: [] })
      value.steps.sort((a, b) => a.step_id.localeCompare(b.step_id))
      Reflect.deleteProperty(value.metrics, 'rate')
      return value
    }
    const { answer } = tracked<Changed>(details)
    expect(change(answer)).toStrictEqual(change(structuredClone(details)))
    expect(answer.extra).toBe(answer.steps[1])
  })
})

describe('proxies', () => {
  test('are lists and plain objects, and the same object at each read', () => {
    const { answer } = tracked(details)
    expect(Array.isArray(answer.steps)).toBe(true)
    expect(answer.steps).toBeInstanceOf(Array)
    expect(answer).toBeInstanceOf(Object)
    expect(Object.prototype.toString.call(answer.steps)).toBe('[object Array]')
    expect(answer.steps.find(({ step_id }) => step_id === 'legal')).toBe(answer.steps[0])
    expect(new Set([answer.metrics, answer.metrics, { ...answer }.metrics]).size).toBe(1)
    expect('name' in answer && !('title' in answer) && Object.hasOwn(answer, 'steps')).toBe(true)
    expect(Object.keys(answer)).toEqual(['name', 'steps', 'metrics'])
    expect(answer.steps.concat([]).flatMap(({ approvers }) => approvers)).toEqual([{ email: 'lena@example.com' }])
  })

  test('are equal to the values for Vitest, in both directions', () => {
    const { answer } = tracked(details)
    expect(answer).toEqual(details)
    expect(details).toStrictEqual(answer)
    expect(answer).toMatchObject({ metrics: { total: 3 } })
    expect(answer).not.toEqual({ ...details, name: 'Other' })
    expect(answer).toMatchInlineSnapshot(`
      {
        "metrics": {
          "rate": null,
          "total": 3,
        },
        "name": "Contract",
        "steps": [
          {
            "approvers": [
              {
                "email": "lena@example.com",
              },
            ],
            "step_id": "legal",
          },
          {
            "approvers": [],
            "step_id": "finance",
          },
        ],
      }
    `)
  })

  test('can be frozen, deeply too, and are still tracked', () => {
    const { answer, places } = tracked(details)
    Object.freeze(answer)
    expect(Object.isFrozen(answer)).toBe(true)
    expect(() => {
      answer.name = 'Other'
    }).toThrow(TypeError)
    const freeze = (value: unknown) => {
      if (value === null || typeof value !== 'object') return
      for (const member of Object.values(value)) freeze(member)
      Object.freeze(value)
    }
    freeze(answer)
    expect(answer.steps[0]?.approvers[0]?.email).toBe('lena@example.com')
    expect(places()).toContain('/steps/*/approvers/*/email: value')
  })

  test('resolve promises, and are awaited without a trace', async () => {
    const { answer, places } = tracked(details)
    expect(await Promise.resolve(answer)).toBe(answer)
    expect(`${Object.prototype.toString.call(answer)} ${String(answer.metrics.rate)}`).toBe('[object Object] null')
    expect(places()).toEqual(['/metrics/rate: value', '/metrics: value'])
  })
})

describe('uses are told apart', () => {
  type Details = typeof details & { readonly title?: string }
  const uses: [what: string, use: (answer: Details) => unknown, places: string[]][] = [
    [
      'destructuring',
      ({ name, metrics: { total } }) => [name, total],
      ['/metrics/total: value', '/metrics: value', '/name: value'],
    ],
    ['a spread', (answer) => ({ ...answer }), [': all']],
    ['the rest', ({ name, ...rest }) => [name, rest], [': all', '/name: value']],
    ['Object.keys', (answer) => Object.keys(answer), [': names']],
    ['names and a member', (answer) => Object.keys(answer).length > 0 && answer.name, [': names', '/name: value']],
    ['Object.entries', (answer) => Object.entries(answer), [': all']],
    ['Object.assign', (answer) => Object.assign({}, answer), [': all']],
    [
      'a loop over members',
      ({ metrics }) => {
        for (const name in metrics) String(Reflect.get(metrics, name))
      },
      ['/metrics: all, value'],
    ],
    ['JSON.stringify', ({ metrics }) => JSON.stringify(metrics), ['/metrics: all, value']],
    ['a list without its items', ({ steps }) => steps.length, ['/steps: value']],
    [
      'items',
      ({ steps }) => steps.map(({ step_id }) => step_id),
      ['/steps/*/step_id: value', '/steps/*: value', '/steps: value'],
    ],
    ['a spread of a list', ({ steps }) => [...steps], ['/steps/*: value', '/steps: value']],
    [
      'the first item',
      ({ steps: [first] }) => first?.step_id,
      ['/steps/*/step_id: value', '/steps/*: value', '/steps: value'],
    ],
    ['an item that is not there', ({ steps }) => steps[7], ['/steps/*: absent', '/steps: value']],
    ['a member that is not there', (answer) => answer.title, ['/title: absent']],
    ['a question', (answer) => 'title' in answer || Object.hasOwn(answer, 'name'), ['/name: asked', '/title: asked']],
    [
      'what was written before',
      (answer) => {
        answer.name = 'Other'
        return answer.name
      },
      [],
    ],
    ['freezing', (answer) => Object.freeze(answer), []],
  ]

  test.each(uses)('%s', (_, use, expected) => {
    const { answer, places } = tracked<Details>(details)
    use(answer)
    expect(places()).toEqual(expected.toSorted())
  })
})
