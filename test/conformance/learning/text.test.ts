import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AnswerSample } from '../../../conformance/learning/sample.ts'
import { textTemplate } from '../../../conformance/learning/text.ts'
import { compile } from '../../../src/profile/template.ts'

const now = '2026-03-01T09:00:00.000Z'
const at = Date.parse(now)

/** Texts, each with the name of the workflow that its answer is about. */
const texts = (...rows: readonly (readonly [text: string, name: string])[]): AnswerSample[] =>
  rows.map(([value, name], index) => ({ facts: { now, answer: { name } }, value, items: [], thing: String(index), at }))

const name = { $: '/answer/name' }

test('a fact within a text is bound, as it is or in another spelling', () => {
  expect(textTemplate(texts(['No Leases here.', 'Leases'], ['No Rents here.', 'Rents']))).toEqual({
    $text: ['No ', name, ' here.'],
  })
  expect(textTemplate(texts(['/w/A%20b?x', 'A b'], ['/w/C%20d?x', 'C d']))).toEqual({
    $text: ['/w/', { ...name, as: 'encoded' }, '?x'],
  })
})

test('an identifier of one digit is bound in a link', () => {
  expect(textTemplate(texts(['/api/v1/workflows/7', '7'], ['/api/v1/workflows/12', '12']))).toEqual({
    $text: ['/api/v1/workflows/', name],
  })
})

test('parts that no fact explains are made anew, with their alphabet and length', () => {
  const uuids = ['0b5c8f6e-3d1a-4f7e-9a2b-1c2d3e4f5a6b', '7d9e1f2a-5b3c-4d8e-8f1a-9b8c7d6e5f4a', crypto.randomUUID()]
  expect(textTemplate(texts(...uuids.map((id) => [`urn:uuid:${id}`, 'x'] as const)))).toEqual({
    $text: ['urn:uuid:', { $new: 'uuid' }],
  })
  expect(textTemplate(texts(['req-83920174', 'x'], ['req-17350928', 'x'], ['req-50912837', 'x']))).toEqual({
    $text: ['req-', { $new: 'digits', length: 8 }],
  })
})

test('words that come again, such as states, are not made anew', () => {
  const states = ['RUNNING', 'NOT_STARTED', 'RUNNING', 'NOT_STARTED']
  expect(textTemplate(texts(...states.map((state) => [state, 'x'] as const)))).toBeUndefined()
})

test('names of fields are not made anew', () => {
  const fields = ['description', 'file_name', 'steps[0].order', 'steps[1].approvers[0].name']
  expect(textTemplate(texts(...fields.map((field) => [field, 'x'] as const)))).toBeUndefined()
})

test('codes that are put together of words are not made anew', () => {
  const codes = ['SignatureDoesNotMatch', 'ContentLengthMismatch']
  expect(textTemplate(texts(...codes.map((code) => [`<Code>${code}</Code>`, 'x'] as const)))).toBeUndefined()
})

test('an identifier is encoded if one of another form is', () => {
  const ids = ['WF-4471', 'WF-9032', 'not an id']
  const samples = ids.map((id, index): AnswerSample => {
    const value = `There is no ${encodeURIComponent(id)} here.`
    return { facts: { now, path: { workflow_id: id } }, value, items: [], thing: String(index), at }
  })
  const named = (as?: string) => ({ $text: ['There is no ', { $: '/path/workflow_id', ...(as && { as }) }, ' here.'] })
  expect(textTemplate(samples)).toEqual(named('encoded'))
  expect(textTemplate(samples.slice(0, 2))).toEqual(named())
})

test('a time within a text follows the clock, some seconds later', () => {
  const later = texts(['until 2026-03-01T09:15:00Z', 'x'], ['until 2026-03-01T09:15:01Z', 'x'])
  expect(textTemplate(later)).toEqual({ $text: ['until ', { $time: '/now', form: 'iso-seconds', plus: 900 }] })
})

test('durations that no fact explains are not made anew', () => {
  const durations = ['PT0.8312S', 'PT1.001S', 'PT0.46S', 'PT0.29S']
  expect(textTemplate(texts(...durations.map((one) => [one, 'x'] as const)))).toBeUndefined()
  const spans = ['00:00:00.0432810', '00:00:00.0551203', '00:00:00.0397712']
  expect(textTemplate(texts(...spans.map((one) => [one, 'x'] as const)))).toBeUndefined()
  const seconds = ['2s', '0.184s', '13s', '1.4s']
  expect(textTemplate(texts(...seconds.map((one) => [one, 'x'] as const)))).toBeUndefined()
})

test('unexplained sentences and texts that never change have no template', () => {
  expect(textTemplate(texts(['Try again', 'x'], ['All is well now', 'x']))).toBeUndefined()
  expect(textTemplate(texts(['Created', 'x'], ['Created', 'y']))).toBeUndefined()
})

test('a template of texts with facts in them renders each of the texts', () => {
  const word = fc.stringMatching(/^[a-z]{12,20}$/)
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { minLength: 2, maxLength: 4 }),
      fc.constantFrom('', '/', ' is '),
      (names, mark) => {
        const samples = texts(...names.map((one) => [`<${mark}${one}${mark}>`, one] as const))
        const template = compile(textTemplate(samples) ?? null)
        const luck = { draw: () => () => 0 }
        for (const { facts, value } of samples) expect(template.render(facts, luck)).toBe(value)
      },
    ),
  )
})

test('the name of a rule in a sentence is bound only if it varies', () => {
  const about = (...rows: readonly (readonly [text: string, rule: string, last: string])[]): AnswerSample[] =>
    rows.map(([value, rule, last], index) => ({
      facts: { now, problem: { errors: [{ rule, pointer: `/${last}` }] } },
      value,
      items: [],
      thing: String(index),
      at,
    }))
  const bound = (samples: readonly AnswerSample[]) => JSON.stringify(textTemplate(samples) ?? null)
  const same = about(['/name is required', 'required', 'name'], ['/order is required', 'required', 'order'])
  expect(bound(same)).not.toContain('/rule')
  const varying = about(['/name breaks minimum', 'minimum', 'name'], ['/order breaks enum', 'enum', 'order'])
  expect(bound(varying)).toContain('/rule')
})

test('a number is bound as a word, also if it occurs within another number before', () => {
  const links = [20, 21, 22].map((id, index): AnswerSample => {
    const answer = { workflow_id: String(id) }
    return { facts: { now, answer }, value: `http://x.test:5${id}0/w/${id}`, items: [], thing: String(index), at }
  })
  const port = links.map((one) => ({ ...one, value: String(one.value).replace(/:\d+/, ':5202122') }))
  expect(textTemplate(port)).toEqual({ $text: ['http://x.test:5202122/w/', { $: '/answer/workflow_id' }] })
})

test.each([
  ['/file_name', 'File name is missing', 'words'],
  ['/steps/1/order', "Value at 'steps[1].order' is missing", 'brackets'],
  ['/steps/1/order', 'steps.1.order is missing', 'dotted'],
  ['/steps/1/step_id', 'steps[1].stepId is missing', 'camel-brackets'],
  ['/steps/1/step_id', "The field 'Steps[1].StepId' is missing", 'pascal-brackets'],
  ['/steps/1/step_id', 'stepId is missing', 'camel'],
])('a sentence that names the field %s follows what was broken', (pointer, value, as) => {
  const sample = { facts: { now, problem: { errors: [{ pointer }] } }, value, items: [], thing: '', at }
  const { $text } = textTemplate([sample]) as { $text: readonly unknown[] }
  expect($text).toContainEqual({ $: '/problem/errors/0/pointer', as })
})

test('numbers with a unit follow a fact in it, or are repeated, but never made anew', () => {
  const answers = [3, 7, 12].map((hours) => ({ estimated_duration: hours }))
  const samples = (values: readonly string[]) =>
    answers.map((answer, index) => ({
      facts: { now, answer },
      value: values[index],
      items: [],
      thing: String(index),
      at,
    }))
  const seconds = { $: '/answer/estimated_duration', as: 'hours' }
  expect(textTemplate(samples(['10800s', '25200s', '43200s']))).toEqual({ $text: [seconds, 's'] })
  expect(textTemplate(samples(['0.142s', '0.009s', '0.169s']))).toBeUndefined()
  expect(textTemplate(samples(['timeout', 'tooManyOpen', 'conflict']))).toBeUndefined()
})

test('ULIDs are made anew as ULIDs of their time', () => {
  const ids = ['01M82K7D6XG3KHZHWN0BDHBEJZ', '01M82K7JTDAVA1QS7ZYPDGHK59', '01M82M7RVE0Q4S1Z8T5B2N9KXC']
  const template = textTemplate(texts(...ids.map((id) => [id, 'x'] as const)))
  expect(template).toEqual({ $new: 'ulid' })
  const luck = { draw: () => () => 0.999 }
  const [one, later] = [now, '2026-03-01T09:00:01.000Z'].map((now) => compile(template ?? null).render({ now }, luck))
  expect(one).toMatch(/^01[0-9A-HJKMNP-TV-Z]{24}$/)
  expect(String(later) > String(one)).toBe(true)
})

test('an address is cut at its marks, so that no part takes in the next one', () => {
  const later = Date.parse(now) / 1000 + 300
  const signed = (sent: number, signature: string) => [`/put?id=7&e=${later + sent}&t=${signature}`, 'x'] as const
  const template = textTemplate(texts(signed(0, 'aB-9_xYz0123'), signed(1, 'Qw7-eR_tY-45'), signed(1, 'Zx4cV_bN1m-2')))
  expect(template).toEqual({
    $text: [
      '/put?id=7&e=',
      { $time: '/now', form: 'seconds-text', plus: 300 },
      '&t=',
      { $new: 'base64url', length: 12 },
    ],
  })
})

test('a time in an address is a time, encoded too, even if it never changed', () => {
  const ms = Date.parse(now) + 300_000
  const same = [`/put?se=${encodeURIComponent(new Date(ms).toISOString())}&e=${ms / 1000}`, 'x'] as const
  const time = { $time: '/now', form: 'iso', plus: 300 }
  expect(textTemplate(texts(same, same))).toEqual({
    $text: ['/put?se=', { $text: [time], as: 'encoded' }, '&e=', { ...time, form: 'seconds-text' }],
  })
})

test('identifiers are made anew in their own case', () => {
  const uuids = ['6F9619FF-8B86-4D01-B42D-00CF4FC964FF', '0E984725-C51C-4BF4-9960-E1C80E27ABA0']
  const ulids = ['01m832ax2pav69rfzwyytzysj1', '01m832axcmmcdmfsjywvsg2eaq']
  const made = (all: readonly string[]) => textTemplate(texts(...all.map((one) => [one, 'x'] as const)))
  expect(made(uuids)).toEqual({ $text: [{ $new: 'uuid' }], as: 'upper' })
  expect(made(ulids)).toEqual({ $text: [{ $new: 'ulid' }], as: 'lower' })
})

test('a number that most answers share is not made anew', () => {
  const codes = ['urn:error:400', 'urn:error:400', 'urn:error:404', 'urn:error:400']
  expect(
    textTemplate(texts(...codes.map((code) => [code, 'x'] as const)).map((one) => ({ ...one, thing: '' }))),
  ).toBeUndefined()
})
