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
import { aboutAll, sequencesAfter } from '../../../conformance/explore/sequences.ts'
import { partsOf, shortenSession, suspectsOf } from '../../../conformance/explore/shorten.ts'
import { exchangeOf } from '../../support/exchange.ts'
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
  return [...sequencesAfter(about.slice(0, at))(about[at] ?? { kind: '', things: [] })].map(({ key }) => key)
}

/** Returns true if each call uses only earlier calls of the right kinds. */
const isSound = (calls: readonly PlannedCall[]) =>
  calls.every((one, at) => {
    const isMadeBy = (index: number | undefined, maker: string) => index === undefined || calls[index]?.call === maker
    return (
      usedBy(one).every((index) => index >= 0 && index < at) &&
      isMadeBy(one.workflow, 'createWorkflow') &&
      isMadeBy(one.upload, 'requestUpload') &&
      isMadeBy(one.put, 'putObject') &&
      isMadeBy(one.document, 'confirmUpload')
    )
  })

test('drawn sessions use only what earlier calls made, and so do their parts', () => {
  fc.assert(
    fc.property(session, session, fc.array(fc.nat(20)), (one, other, wanted) => {
      const parts = [...partsOf(one), one, keepCalls(one, wanted), dropCalls(one, wanted), joinSessions(one, other)]
      expect(parts.filter((part) => !isSound(part))).toEqual([])
      expect(keepCalls(one, one.keys())).toEqual(one)
      expect(partsOf(one)).toContainEqual(one)
      expect(partsOf(one).filter((part) => part.at(-1)?.call !== one.at(-1)?.call)).toEqual([])
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
  const ofNewest = ['createWorkflow 0,getWorkflow 0', 'createWorkflow 0,createWorkflow 1,getWorkflow 0']
  const ofOlder = ['createWorkflow 1,getWorkflow 0,getWorkflow 1', 'in a row: putObject 0,getWorkflow 1']
  expect(keysAt(calls, 3)).toEqual(expect.arrayContaining(ofNewest))
  expect(keysAt(calls, 5)).toEqual(expect.arrayContaining(['createWorkflow 0,getWorkflow 0', ...ofOlder]))
  expect(keysAt(calls, 5)).not.toContain('createWorkflow 0,createWorkflow 1,getWorkflow 1')
})

test('sessions hold all pairs and most triples of sound calls about an upload', () => {
  const known = new Set(nonEmpty(drawn).flatMap((calls) => calls.flatMap((_, at) => keysAt(calls, at))))
  const later = ['putObject', 'confirmUpload']
  const pairs = later.flatMap((one) => later.map((other) => `${one} 0,${other} 0`))
  for (const key of nonEmpty([...later.map((one) => `requestUpload 0,${one} 0`), ...pairs]))
    expect(known).toContain(key)
  expect(pairs.filter((pair) => known.has(`requestUpload 0,${pair}`)).length).toBeGreaterThanOrEqual(3)
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
      const textOf = ({ call, manner }: PlannedCall) => `${call} ${manner}`
      // The last call shows it if these calls were sent before.
      const needed = picks.flatMap((pick) => calls.slice(pick, pick + 1).map(textOf))
      const last = calls.slice(-1).map(textOf)[0]
      const shows = async (some: readonly PlannedCall[]) => {
        const texts = some.map(textOf)
        const before = texts.slice(0, texts.lastIndexOf(last ?? '') + 1)
        const lacks = needed.some((one) => countOf(before, one) < countOf(needed, one))
        return before.length === 0 || lacks ? undefined : some.slice(0, before.length)
      }
      const short = await shortenSession(calls, shows)
      expect(await shows(short)).toEqual(short)
      for (const index of short.keys()) {
        const rest = dropCalls(short, [index])
        if (rest.length < short.length) expect(await shows(rest)).toBeUndefined()
      }
    }),
    { numRuns: 30 },
  )
})

const countOf = (list: readonly string[], text: string) => list.filter((one) => one === text).length

const facts = (values: Record<string, string>, outcome: AnswerMeaning['outcome'] = 'accepted'): AnswerMeaning => ({
  outcome,
  values: new Map(Object.entries(values)),
})

test('values are compared at places at which both sides have agreed before', () => {
  const agreement = new Agreement()
  const compare = (version: string, one: string, other: string) =>
    agreement.compare('getWorkflow', facts({ version: '1', count: one }), facts({ version, count: other }))?.text
  expect(compare('2', '0', '0')).toBeUndefined()
  expect(compare('2', '1', '2')).toBe('count is 1 in the answer of A, and 2 in that of B.')
})

test('another outcome is a difference, unless it has not shown again three times', () => {
  const agreement = new Agreement()
  const found = [1, 2, 3, 4].map(() => {
    const difference = agreement.compare('putObject', facts({}), facts({}, 'refused'))
    if (difference) agreement.doubt(difference)
    return difference?.text
  })
  const text = 'It is accepted by A, and refused by B.'
  expect(found).toEqual([text, text, text, undefined])
})

test('commands have variables in the place of identifiers, and no key', () => {
  const headers = new Headers({ authorization: 'test_secret' })
  const typed = new Headers([...headers, ['content-type', 'application/json']])
  const url = 'http://a.test/api/v1/workflows'
  const bytes = new TextEncoder().encode('{"workflow_id":"wf-12345"}')
  const commands = curlCommands(
    [
      exchangeOf({ method: 'POST', url, headers: typed }, { bytes, sent: `{"name":"it's"}` }),
      exchangeOf({ url: `${url}/wf-12345`, headers }),
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
  const [first, second] = [one, other].map((json) => [...meaningOf(exchangeOf({}, { json }), (text) => text).values])
  expect(JSON.stringify(first) === JSON.stringify(second)).toBe(isSame)
})

test('values at the boundaries of the contract are sound just within them', () => {
  const approver = { email: 'a@example.com', name: 'A' }
  const step = { step_id: 's', name: 'S', order: 1, type: 'approval', approvers: [approver], estimated_duration: 9 }
  const body = { name: 'n', description: 'd', isSequential: true, steps: [step] }
  const deviations = deviationsFrom('createWorkflow', body)
  const isSound = Object.fromEntries(deviations.map((one) => [one.name, one.isSound]))
  expect(Object.keys(isSound)).toHaveLength(deviations.length)
  expect(isSound).toMatchObject({
    ...{ 'name: 100 characters': true, 'name: 101 characters': false },
    ...{ 'steps.0.order: 1': true, 'steps.0.order: 0': false },
    ...{ 'steps: two': true, 'steps: the same twice': false },
  })
  const { name: _, isSequential: __, ...rest } = body
  expect(deviate('createWorkflow', body, 'isSequential: false and name: absent')).toEqual({
    ...rest,
    isSequential: false,
  })
  expect(deviate('createWorkflow', { steps: [step] }, 'steps: two with the same lists').steps).toMatchObject([
    { step_id: 's', approvers: [approver] },
    { step_id: 's-2', approvers: [approver] },
  ])
})
