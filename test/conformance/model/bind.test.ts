import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Binding, bind, type Sample } from '../../../conformance/model/bind.ts'
import { withoutStrays } from '../../../conformance/model/whose.ts'
import type { Recorded } from '../../../conformance/wire/record.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { frameworks, type Render, sentWorkflows } from '../reading/samples.ts'

/** The answers of a deployment to each workflow that is sent. */
function samplesOf(render: Render, change: (shown: object, index: number) => unknown = (shown) => shown): Sample[] {
  return sentWorkflows().map((sent, index) => ({
    facts: { ...sent },
    shown: change(render(sent, index + 1), index),
    pointer: '',
    exchange: { place: index } as Recorded,
    answer: 'details',
    about: sent,
  }))
}

const byRank = (one: Binding) => ['proven', 'named', 'likely'].indexOf(one.strength)

/** Returns the surest binding of each fact. */
function surest(samples: readonly Sample[]): Record<string, Binding> {
  const sorted = [...bind(samples).bindings].sort((a, b) => byRank(b) - byRank(a))
  return Object.fromEntries(sorted.map((one) => [one.fact, one]))
}

const provenIn = (samples: readonly Sample[]) =>
  Object.entries(surest(samples))
    .filter(([, { strength }]) => strength === 'proven')
    .map(([fact]) => fact)
    .sort()

test.each(nonEmpty(Object.entries(frameworks)))('what was sent is found in answers of %s', (_, render) => {
  const proven = provenIn(samplesOf(render))
  const always = ['name', 'description', 'steps/*/name', 'steps/*/order', 'steps/*/approvers/*/email']
  expect(proven).toEqual(expect.arrayContaining(always))
})

/** Renames all members of a value. */
function renamed(value: unknown, nameOf: (name: string) => string): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((one) => renamed(one, nameOf))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [nameOf(name), renamed(one, nameOf)]))
}

const anyFramework = fc.constantFrom(...Object.entries(frameworks).filter(([name]) => name !== 'django'))

test('renaming every member to unknown words keeps what is proven', () => {
  fc.assert(
    fc.property(
      anyFramework,
      fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(...'qxzkvw') }),
      ([, render], prefix) => {
        const unknown = (name: string) => `${prefix}${[...name].map((letter) => letter.codePointAt(0)).join('')}`
        expect(provenIn(samplesOf(render, (shown) => renamed(shown, unknown)))).toEqual(provenIn(samplesOf(render)))
      },
    ),
    { numRuns: 20 },
  )
})

test('adding unknown members changes no proven place', () => {
  const added = fc.dictionary(
    fc.string({ minLength: 1, maxLength: 6 }).map((name) => `+${name}`),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 4 },
  )
  fc.assert(
    fc.property(anyFramework, added, added, ([, render], one, other) => {
      const more = samplesOf(render, (shown, index) => ({ ...(index === 0 ? one : other), ...shown }))
      expect(provenIn(more)).toEqual(provenIn(samplesOf(render)))
    }),
    { numRuns: 40 },
  )
})

test('a text that one answer shows wrongly contradicts, under any name', () => {
  fc.assert(
    fc.property(anyFramework, fc.nat(2), fc.nat(1), ([, render], index, position) => {
      const { email = '' } = sentWorkflows()[index]?.steps[position]?.approvers[0] ?? {}
      const wrong = samplesOf(render, (shown, at) =>
        at === index ? JSON.parse(JSON.stringify(shown).replace(email, 'wrong@example.com')) : shown,
      )
      const { bindings, listings } = bind(wrong)
      const seen = bindings
        .filter(({ fact, strength }) => fact === 'steps/*/approvers/*/email' && strength === 'proven')
        .flatMap(({ against, silent }) => [...against, ...silent])
      const missing = listings.flatMap((one) => one.seen.flatMap((list) => list.missing))
      expect([...seen.map(({ sent }) => sent), ...missing.map((one) => one.email)]).toContain(email)
    }),
    { numRuns: 20 },
  )
})

const plain: Render = (sent) => ({ ...sent, isSequential: sent.isSequential ?? true })

test('a place with the name of the contract that is always wrong is named, not proven', () => {
  const { description } = surest(samplesOf(plain, (shown) => ({ ...shown, description: 'Anything' })))
  expect([description?.strength, description?.against.length]).toEqual(['named', 3])
})

test('a name of the contract alone is only likely', () => {
  const { description } = surest(samplesOf(() => ({ page: { description: 'Approvals' } })))
  expect(description?.strength).toBe('likely')
})

test('a figure that agrees by chance makes no name of the contract sure', () => {
  const rows = samplesOf(({ name, steps }) => ({
    runs: steps.map(({ step_id, estimated_duration }, index) => ({
      ...{ step: { step_id }, step_id: `row ${index} of ${name}` },
      ms: index === 0 ? estimated_duration : 70 + index,
    })),
  }))
  const found = bind(rows).bindings.filter(({ place }) => place === '/runs/*/step_id')
  expect(found.map(({ fact, strength }) => [fact, strength])).toEqual([['steps/*/step_id', 'likely']])
})

test('orders that are only the positions in the list are not proven', () => {
  const inOrder = samplesOf((sent) => ({
    name: sent.name,
    list: sent.steps.map(({ name }, index) => ({ name, nr: index + 1 })),
  }))
  const order = surest(inOrder)['steps/*/order']
  expect(order?.strength).not.toBe('proven')
})

test.each<[what: string, fact: string, form: string, render: Render]>([
  [
    'durations in another unit',
    'steps/*/estimated_duration',
    'factor',
    ({ name, steps }) => ({
      name,
      steps: steps.map((step) => ({ ...step, estimated_duration: step.estimated_duration * 60 })),
    }),
  ],
  [
    'a word for true and another for false',
    'isSequential',
    'rendering',
    ({ name, isSequential }) => ({ title: name, run: isSequential === false ? 'all' : 'one by one' }),
  ],
])('%s are proven', (_, fact, form, render) => {
  expect(surest(samplesOf(render))[fact]).toMatchObject({ form, strength: 'proven', against: [] })
})

test('a time that is the same for all that was made at once follows nothing', () => {
  const timed = samplesOf(({ name, isSequential }) => ({
    name,
    at: isSequential === false ? '2026-01-01T00:00:01Z' : '2026-01-01T00:00:00Z',
  }))
  expect(surest(timed).isSequential).toBeUndefined()
})

test('a step within another one, such as the one before it, is no contradiction', () => {
  const linked = samplesOf(plain, (shown) => {
    const { steps } = shown as ReturnType<typeof sentWorkflows>[number]
    return { ...shown, steps: steps.map((step, index) => ({ ...step, before: steps[index - 1] ?? null })) }
  })
  const wrong = bind(linked).bindings.filter(({ strength, against }) => strength !== 'likely' && against.length > 0)
  expect(wrong).toEqual([])
})

test('a place that shows the submitter first and an approver later is no fault', () => {
  const about = {}
  const steps = [{ step_id: 'legal', approvers: [{ email: 'lena@example.com' }] }]
  const samples = ['sam@example.com', 'lena@example.com', 'eve@example.com'].map((editor, place) => ({
    facts: { submitter_email: 'sam@example.com', steps },
    ...{ shown: { editor }, pointer: '', exchange: { place } as Recorded, answer: 'details', about },
  }))
  expect(surest(samples).submitter_email?.against.map(({ shown }) => shown)).toEqual(['eve@example.com'])
})

test('missing and repeated steps of a list are counted', () => {
  const short = samplesOf(plain, (shown, index) => {
    const { steps } = shown as ReturnType<typeof sentWorkflows>[number]
    return { ...shown, steps: [steps.slice(1), [...steps, steps[0]], steps][index] }
  })
  const [listing] = bind(short).listings.filter(({ fact }) => fact === 'steps')
  expect(listing?.seen.map(({ missing, doubled }) => [missing.length, doubled.length])).toEqual([
    [1, 0],
    [0, 1],
    [0, 0],
  ])
})

test('an answer that shows more of another thing than of its own is left out', () => {
  const [first, second, third] = samplesOf(plain) as [Sample, Sample, Sample]
  const owners = [first, second, third].map(({ about, facts }) => ({
    thing: about,
    texts: [facts.name, facts.description],
  }))
  const related = { ...second, shown: { ...(second.shown as object), related: { name: first.facts.name } } }
  expect(withoutStrays([{ ...first, shown: third.shown }, related, third], owners)).toEqual([related, third])
})
