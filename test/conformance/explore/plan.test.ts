import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawSessions } from '../../../cli/draw-sessions.ts'
import { Agreement, type AnswerMeaning, meaningOf } from '../../../conformance/explore/answer-meaning.ts'
import { curlCommands } from '../../../conformance/explore/curl.ts'
import { deviate, deviationsFrom } from '../../../conformance/explore/deviations.ts'
import {
  dropCalls,
  joinSessions,
  keepCalls,
  mergeThings,
  type PlannedCall,
  usedBy,
  withoutThings,
} from '../../../conformance/explore/plan.ts'
import { aboutAll, sequencesWith } from '../../../conformance/explore/sequences.ts'
import { partsOf, shortenSession, suspectsOf } from '../../../conformance/explore/shorten.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { cases } from '../../support/sample.ts'

const drawn = drawSessions(7, 100)
const others = drawSessions(8, 100)
const session = fc.constantFrom(...drawn, ...others)

const create: PlannedCall = { call: 'createWorkflow', manner: 'sound' }
const request: PlannedCall = { call: 'requestUpload', manner: 'sound' }
const read = (workflow: number): PlannedCall => ({ call: 'getWorkflow', manner: 'sound', workflow })

/** Returns the keys of the sequences that a call ends. */
const keysAt = (calls: readonly PlannedCall[], at: number) => {
  const about = aboutAll(calls)
  return [...sequencesWith(about.slice(0, at), about[at] ?? { kind: '', things: [] })].map(({ key }) => key)
}

/** Returns true if each call uses only earlier calls of the right kinds. */
function isSound(calls: readonly PlannedCall[]): boolean {
  const kind = (index: number | undefined) => (index === undefined ? undefined : calls[index]?.call)
  return calls.every(
    (one, at) =>
      usedBy(one).every((index) => index >= 0 && index < at) &&
      [undefined, 'createWorkflow'].includes(kind(one.workflow)) &&
      [undefined, 'requestUpload'].includes(kind(one.upload)) &&
      [undefined, 'putObject'].includes(kind(one.put)) &&
      [undefined, 'confirmUpload'].includes(kind(one.document)),
  )
}

test('drawn sessions use only what earlier calls made, and so do their parts', () => {
  fc.assert(
    fc.property(session, session, fc.array(fc.nat(20)), (one, other, wanted) => {
      expect(isSound(one)).toBe(true)
      expect(isSound(keepCalls(one, wanted))).toBe(true)
      expect(isSound(dropCalls(one, wanted))).toBe(true)
      expect(keepCalls(one, one.keys())).toEqual(one)
      expect(isSound(joinSessions(one, other))).toBe(true)
    }),
    { numRuns: 30 },
  )
})

test('a session still uses only what was made after two things became one', () => {
  fc.assert(
    fc.property(session, fc.nat(23), fc.nat(23), (calls, one, other) => {
      const [into, from] = [Math.min(one, other), Math.max(one, other)]
      const kind = calls[into]?.call
      if (into < from && kind === calls[from]?.call && (kind === 'createWorkflow' || kind === 'requestUpload')) {
        const merged = mergeThings(calls, from, into)
        expect(isSound(merged)).toBe(true)
        expect(merged.length).toBeLessThan(calls.length)
      }
      for (const call of calls.map(withoutThings)) if (call.manner === 'without key') expect(usedBy(call)).toEqual([])
    }),
    { numRuns: cases(100, 30) },
  )
})

test('calls about two things are shortened to one thing if that shows the difference', async () => {
  const shows = async (some: readonly PlannedCall[]) =>
    some.filter(({ call }) => call === 'getWorkflow').length === 2 ? some : undefined
  expect(await shortenSession([create, create, read(0), read(1)], shows)).toEqual([create, read(0), read(0)])
})

test('calls about one thing are a sequence, whatever is between them', () => {
  const put: PlannedCall = { call: 'putObject', manner: 'sound', upload: 1 }
  const calls = [create, request, { ...create, manner: 'name: 100 characters' }, read(0), put, read(2)]
  // The same calls about other things are the same sequence, but not those about an older or a newer one.
  const [first, second] = [keysAt(calls, 3), keysAt(calls, 5)]
  expect(first).toEqual(
    expect.arrayContaining(['createWorkflow 0,getWorkflow 0', 'createWorkflow 0,createWorkflow 1,getWorkflow 0']),
  )
  expect(second).toEqual(
    expect.arrayContaining([
      'createWorkflow 0,getWorkflow 0',
      'createWorkflow 1,getWorkflow 0,getWorkflow 1',
      'in a row: putObject 0,getWorkflow 1',
    ]),
  )
  expect(second).not.toContain('createWorkflow 0,createWorkflow 1,getWorkflow 1')
})

test('sessions hold all pairs and most triples of sound calls about an upload', () => {
  const known = new Set(nonEmpty(drawn).flatMap((calls) => calls.flatMap((_, at) => keysAt(calls, at))))
  const later = ['putObject', 'confirmUpload']
  for (const one of later) {
    expect(known).toContain(`requestUpload 0,${one} 0`)
    for (const other of later) expect(known).toContain(`${one} 0,${other} 0`)
  }
  const triples = later.flatMap((one) => later.map((other) => `requestUpload 0,${one} 0,${other} 0`))
  expect(triples.filter((key) => known.has(key)).length).toBeGreaterThanOrEqual(3)
})

test('suspects are what a difference comes after for the first time', () => {
  const calls: PlannedCall[] = [create, read(0), { ...create, manner: 'same name', other: 0 }, read(0)]
  const cleared = new Set([0, 1, 2].flatMap((at) => keysAt(calls, at)))
  const suspects = suspectsOf(calls, cleared)
  expect(suspects).toContainEqual(calls)
  expect(suspects).not.toContainEqual(calls.slice(0, 2))
  expect(suspects.map((part) => part.length)).toEqual(suspects.map((part) => part.length).toSorted())
})

test('the same seed draws the same sessions, with every call in some manner', () => {
  expect(drawSessions(7, 100)).toEqual(drawn)
  expect(others).not.toEqual(drawn)
  const kinds = new Set(drawn.flatMap((calls) => calls.map(({ call, manner }) => `${call} ${manner}`)))
  expect(kinds.size).toBeGreaterThan(20)
})

test.each([2, 5])('the sessions have more calls than %d minutes may send', (count) => {
  expect(2 * drawSessions(7, count * 48).flat().length).toBeGreaterThan(count * 48)
})

test('a session is shortened to the calls that the difference needs', async () => {
  await fc.assert(
    fc.asyncProperty(session, fc.uniqueArray(fc.nat(9), { minLength: 1, maxLength: 3 }), async (calls, picks) => {
      // The last call shows it if these calls were sent before.
      const needed = picks.flatMap((pick) => calls[pick] ?? [])
      const sameCall = (a: PlannedCall, b: PlannedCall) => a.call === b.call && a.manner === b.manner
      const last = calls.at(-1)
      const shows = async (some: readonly PlannedCall[]) => {
        const end = some.findLastIndex((one) => last !== undefined && sameCall(one, last))
        const part = some.slice(0, end + 1)
        const counts = (list: readonly PlannedCall[], one: PlannedCall) =>
          list.filter((each) => sameCall(each, one)).length
        return end >= 0 && needed.every((one) => counts(part, one) >= counts(needed, one)) ? part : undefined
      }
      const short = await shortenSession(calls, shows)
      expect(await shows(short)).toEqual(short)
      for (const [index] of short.entries()) {
        const rest = keepCalls(
          short,
          [...short.keys()].filter((at) => at !== index),
        )
        if (rest.length < short.length) expect(await shows(rest)).toBeUndefined()
      }
    }),
    { numRuns: 30 },
  )
})

const facts = (values: Record<string, string>, outcome: AnswerMeaning['outcome'] = 'accepted'): AnswerMeaning => ({
  outcome,
  values: new Map(Object.entries(values)),
})

test('values are compared at places at which both sides have agreed before', () => {
  const agreement = new Agreement()
  const compare = (version: string, one: string, other: string) =>
    agreement.compare('getWorkflow', facts({ version: '1', count: one }), facts({ version, count: other }))
  expect(compare('2', '0', '0')).toBe(undefined)
  expect(compare('2', '1', '2')?.text).toBe('count is 1 in the answer of A, and 2 in that of B.')
})

test('another outcome is a difference, unless it has not shown again three times', () => {
  const agreement = new Agreement()
  const compare = () => agreement.compare('putObject', facts({}), facts({}, 'refused'))
  for (const _ of [1, 2, 3]) {
    const found = compare()
    expect(found?.text).toBe('It is accepted by A, and refused by B.')
    if (found) agreement.doubt(found)
  }
  expect(compare()).toBeUndefined()
})

test('commands have variables in the place of identifiers, and no key', () => {
  const exchange = (method: string, path: string, sent: string | undefined, answer: unknown) => ({
    request: {
      method,
      url: `http://a.test${path}`,
      headers: new Headers({ authorization: 'test_secret', ...(sent && { 'content-type': 'application/json' }) }),
    },
    ...(sent && { sent }),
    ...{ status: 200, headers: new Headers(), bytes: new TextEncoder().encode(JSON.stringify(answer)), durationMs: 1 },
  })
  const commands = curlCommands(
    [
      exchange('POST', '/api/v1/workflows', `{"name":"it's"}`, { workflow_id: 'wf-12345' }),
      exchange('GET', '/api/v1/workflows/wf-12345', undefined, {}),
    ],
    { url: 'http://a.test', names: new Map([['wf-12345', '$WORKFLOW_1']]) },
  )
  expect(commands).toEqual([
    `curl -X POST "$URL"'/api/v1/workflows' -H "Authorization: $COUNTERSIGN_API_KEY" -H 'Content-Type: application/json' -d '{"name":"it'\\''s"}'  # call 1: the answer has WORKFLOW_1`,
    `curl -X GET "$URL"'/api/v1/workflows/'"$WORKFLOW_1"'' -H "Authorization: $COUNTERSIGN_API_KEY"`,
  ])
})

test.each([
  ['a time', { at: '2026-11-22T16:53:58.347Z' }, { at: '2026-11-22T16:53:58.348Z' }, true],
  ['a text', { name: 'a' }, { name: 'b' }, false],
  ['a duration', { minutes: 38 }, { minutes: 36.5 }, true],
  ['a duration as text', { elapsed: '0.004s' }, { elapsed: '0s' }, true],
  ['no duration', { minutes: null }, { minutes: 36.5 }, false],
  ['an estimate', { estimated_minutes: 38 }, { estimated_minutes: 36.5 }, false],
  ['a rounded share', { share: 0.37999 }, { share: 0.38001 }, true],
  ['a share', { share: 0.37 }, { share: 0.38 }, false],
])('another value of %s means the same, or not', (_, one, other, isSame) => {
  const [first, second] = [one, other].map((json) => {
    const request = { method: 'GET', url: 'http://a.test/', headers: new Headers() }
    const answer = { request, status: 200, headers: new Headers(), bytes: new Uint8Array(), json, durationMs: 1 }
    return [...meaningOf(answer, (text) => text).values]
  })
  expect(JSON.stringify(first) === JSON.stringify(second)).toBe(isSame)
})

test('parts of a session end with its last call, and the whole is among them', () => {
  fc.assert(
    fc.property(session, (calls) => {
      const parts = partsOf(calls)
      expect(parts.every((part) => isSound(part) && part.at(-1)?.call === calls.at(-1)?.call)).toBe(true)
      expect(parts).toContainEqual(calls)
    }),
    { numRuns: 30 },
  )
})

test('values at the boundaries of the contract are sound just within them', () => {
  const approver = { email: 'a@example.com', name: 'A' }
  const step = { step_id: 's', name: 'S', order: 1, type: 'approval', approvers: [approver], estimated_duration: 9 }
  const deviations = deviationsFrom('createWorkflow', {
    name: 'n',
    description: 'd',
    isSequential: true,
    steps: [step],
  })
  const isSound = Object.fromEntries(deviations.map((one) => [one.name, one.isSound]))
  expect(Object.keys(isSound)).toHaveLength(deviations.length)
  expect(isSound).toMatchObject({
    ...{ 'name: 100 characters': true, 'name: 101 characters': false },
    ...{ 'steps.0.order: 1': true, 'steps.0.order: 0': false },
    ...{ 'steps: two': true, 'steps: the same twice': false },
  })
  expect(deviate('createWorkflow', { name: 'n', steps: [step] }, 'name: absent')).toEqual({ steps: [step] })
  expect(deviate('createWorkflow', { isSequential: true, name: 'n' }, 'isSequential: false and name: absent')).toEqual({
    isSequential: false,
  })
  const two = deviate('createWorkflow', { steps: [step] }, 'steps: two with the same lists').steps
  expect(two.map(({ step_id, approvers }) => [step_id, approvers])).toEqual([
    ['s', [approver]],
    ['s-2', [approver]],
  ])
})
