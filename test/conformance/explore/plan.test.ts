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
  const [create, read] = [{ call: 'createWorkflow', manner: 'sound' }, { call: 'getWorkflow' }] as const
  const calls: PlannedCall[] = [
    create,
    create,
    { ...read, manner: 'sound', workflow: 0 },
    { ...read, manner: 'sound', workflow: 1 },
  ]
  const shows = async (some: readonly PlannedCall[]) =>
    some.filter(({ call }) => call === 'getWorkflow').length === 2 ? some : undefined
  const short = await shortenSession(calls, shows)
  expect(short.map(({ call, workflow }) => [call, workflow])).toEqual([
    ['createWorkflow', undefined],
    ['getWorkflow', 0],
    ['getWorkflow', 0],
  ])
})

test('calls about one thing are a sequence, whatever is between them', () => {
  const calls: PlannedCall[] = [
    { call: 'createWorkflow', manner: 'sound' },
    { call: 'requestUpload', manner: 'sound' },
    { call: 'createWorkflow', manner: 'name: 100 characters' },
    { call: 'getWorkflow', manner: 'sound', workflow: 0 },
    { call: 'putObject', manner: 'sound', upload: 1 },
    { call: 'getWorkflow', manner: 'sound', workflow: 2 },
  ]
  const about = aboutAll(calls)
  const keysAt = (at: number) =>
    [...sequencesWith(about.slice(0, at), about[at] ?? { kind: '', things: [] })].map(({ key }) => key)
  expect(keysAt(3)).toContain('createWorkflow 0,getWorkflow 0')
  expect(keysAt(3)).toContain('createWorkflow 0,createWorkflow 1,getWorkflow 0')
  // The same calls about other things are the same sequence, but not those about an older or a newer one.
  expect(keysAt(5)).toContain('createWorkflow 0,getWorkflow 0')
  expect(keysAt(5)).toContain('createWorkflow 1,getWorkflow 0,getWorkflow 1')
  expect(keysAt(5)).toContain('in a row: putObject 0,getWorkflow 1')
  expect(keysAt(5)).not.toContain('createWorkflow 0,createWorkflow 1,getWorkflow 1')
})

test('sessions hold all pairs and most triples of sound calls about an upload', () => {
  const known = new Set<string>()
  for (const calls of nonEmpty(drawn)) {
    const about = aboutAll(calls)
    for (const [at, one] of about.entries())
      for (const { key } of sequencesWith(about.slice(0, at), one)) known.add(key)
  }
  const later = ['putObject', 'confirmUpload']
  for (const one of later) {
    expect(known).toContain(`requestUpload 0,${one} 0`)
    for (const other of later) expect(known).toContain(`${one} 0,${other} 0`)
  }
  const triples = later.flatMap((one) => later.map((other) => `requestUpload 0,${one} 0,${other} 0`))
  expect(triples.filter((key) => known.has(key)).length).toBeGreaterThanOrEqual(3)
})

test('suspects are what a difference comes after for the first time', () => {
  const calls: PlannedCall[] = [
    { call: 'createWorkflow', manner: 'sound' },
    { call: 'getWorkflow', manner: 'sound', workflow: 0 },
    { call: 'createWorkflow', manner: 'same name', other: 0 },
    { call: 'getWorkflow', manner: 'sound', workflow: 0 },
  ]
  const about = aboutAll(calls.slice(0, -1))
  const cleared = new Set(about.flatMap((one, at) => [...sequencesWith(about.slice(0, at), one)].map(({ key }) => key)))
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
  expect(
    agreement.compare('getWorkflow', facts({ version: '1', count: '0' }), facts({ version: '2', count: '0' })),
  ).toBe(undefined)
  const found = agreement.compare(
    'getWorkflow',
    facts({ version: '1', count: '1' }),
    facts({ version: '2', count: '2' }),
  )
  expect(found?.text).toBe('count is 1 in the answer of A, and 2 in that of B.')
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

test('times and measured durations mean nothing by themselves, other values count', () => {
  const meaning = (json: unknown) => {
    const request = { method: 'GET', url: 'http://a.test/', headers: new Headers() }
    const answer = { request, status: 200, headers: new Headers(), bytes: new Uint8Array(), json, durationMs: 1 }
    return meaningOf(answer, (text) => text).values
  }
  const [one, other] = ['2026-11-22T16:53:58.347Z', '2026-11-22T16:53:58.348Z'].map((at) => meaning({ at, name: 'a' }))
  expect(one).toEqual(other)
  expect(one).not.toEqual(meaning({ at: '2026-11-22T16:53:58.347Z', name: 'b' }))
  expect(meaning({ minutes: 38 })).toEqual(meaning({ minutes: 36.5 }))
  expect(meaning({ elapsed: '0.004s' })).toEqual(meaning({ elapsed: '0s' }))
  expect(meaning({ minutes: null })).not.toEqual(meaning({ minutes: 36.5 }))
  expect(meaning({ estimated_minutes: 38 })).not.toEqual(meaning({ estimated_minutes: 36.5 }))
  expect(meaning({ share: 0.37999 })).toEqual(meaning({ share: 0.38001 }))
  expect(meaning({ share: 0.37 })).not.toEqual(meaning({ share: 0.38 }))
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
  const isSound = new Map(deviations.map((one) => [one.name, one.isSound]))
  expect(isSound.size).toBe(deviations.length)
  expect([isSound.get('name: 100 characters'), isSound.get('name: 101 characters')]).toEqual([true, false])
  expect([isSound.get('steps.0.order: 1'), isSound.get('steps.0.order: 0')]).toEqual([true, false])
  expect([isSound.get('steps: two'), isSound.get('steps: the same twice')]).toEqual([true, false])
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
