import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textTemplate } from '../../../conformance/learning/text.ts'
import { compile, type Json } from '../../../src/profile/template.ts'
import { luck, now, sampleOf, samplesAt } from './templates.ts'

const seconds = Date.parse(now) / 1000

test.each<[what: string, texts: string[], pointer: string, facts: unknown[], template: unknown[]]>([
  ['a fact', ['No Leases here.', 'No Rents here.'], '/answer/name', ['Leases', 'Rents'], ['No ', {}, ' here.']],
  ['an encoded fact', ['/w/A%20b?x', '/w/C%20d?x'], '/answer/name', ['A b', 'C d'], ['/w/', { as: 'encoded' }, '?x']],
  ['a link to one digit', ['/workflows/7', '/workflows/12'], '/answer/name', ['7', '12'], ['/workflows/', {}]],
  ['an identifier', ['No WF-4471.', 'No WF-9032.'], '/path/workflow_id', ['WF-4471', 'WF-9032'], ['No ', {}, '.']],
  [
    'an identifier that is encoded, since another one is',
    ['No WF-4471.', 'No not%20an%20id.'],
    '/path/workflow_id',
    ['WF-4471', 'not an id'],
    ['No ', { as: 'encoded' }, '.'],
  ],
  [
    'a word that occurs within a number before it',
    [20, 21, 22].map((id) => `http://x.test:5202122/w/${id}`),
    '/answer/workflow_id',
    ['20', '21', '22'],
    ['http://x.test:5202122/w/', {}],
  ],
  ['hours in seconds', ['10800s', '25200s'], '/answer/estimated_duration', [3, 7], [{ as: 'hours' }, 's']],
])('%s in a text is bound', (_, texts, pointer, facts, template) => {
  const $text = template.map((part) => (typeof part === 'string' ? part : { $: pointer, ...(part as object) }))
  expect(textTemplate(samplesAt(pointer, facts, texts))).toEqual({ $text })
})

/** Returns what is learned of texts that no fact explains. */
const unexplained = (texts: readonly string[]) => textTemplate(samplesAt('/answer/name', [], texts))

const later = (ms: number) => new Date(Date.parse(now) + ms).toISOString()
const inFiveMinutes = { $time: '/now', form: 'iso', plus: 300 }

test.each<[what: string, texts: string[], template: Json]>([
  [
    'a UUID',
    ['urn:uuid:0b5c8f6e-3d1a-4f7e-9a2b-1c2d3e4f5a6b', 'urn:uuid:7d9e1f2a-5b3c-4d8e-8f1a-9b8c7d6e5f4a'],
    { $text: ['urn:uuid:', { $new: 'uuid' }] },
  ],
  [
    'a UUID in capitals',
    ['6F9619FF-8B86-4D01-B42D-00CF4FC964FF', '0E984725-C51C-4BF4-9960-E1C80E27ABA0'],
    { $text: [{ $new: 'uuid' }], as: 'upper' },
  ],
  [
    'a ULID',
    ['01M82K7D6XG3KHZHWN0BDHBEJZ', '01M82K7JTDAVA1QS7ZYPDGHK59', '01M82M7RVE0Q4S1Z8T5B2N9KXC'],
    { $new: 'ulid' },
  ],
  [
    'a ULID in small letters',
    ['01m832ax2pav69rfzwyytzysj1', '01m832axcmmcdmfsjywvsg2eaq'],
    { $text: [{ $new: 'ulid' }], as: 'lower' },
  ],
  ['digits', ['req-83920174', 'req-17350928', 'req-50912837'], { $text: ['req-', { $new: 'digits', length: 8 }] }],
  [
    'a time some seconds later',
    ['until 2026-03-01T09:15:00Z', 'until 2026-03-01T09:15:01Z'],
    { $text: ['until ', { $time: '/now', form: 'iso-seconds', plus: 900 }] },
  ],
  [
    'an address, cut at its marks,',
    ['300&t=aB-9_xYz0123', '301&t=Qw7-eR_tY-45', '301&t=Zx4cV_bN1m-2'].map(
      (text) => `/put?id=7&e=${seconds + Number(text.slice(0, 3))}${text.slice(3)}`,
    ),
    {
      $text: ['/put?id=7&e=', { ...inFiveMinutes, form: 'seconds-text' }, '&t=', { $new: 'base64url', length: 12 }],
    },
  ],
  [
    'a time in an address that never changed',
    [1, 2].map(() => `/put?se=${encodeURIComponent(later(300_000))}&e=${seconds + 300}`),
    {
      $text: ['/put?se=', { $text: [inFiveMinutes], as: 'encoded' }, '&e=', { ...inFiveMinutes, form: 'seconds-text' }],
    },
  ],
])('%s is made anew', (_, texts, template) => {
  expect(unexplained(texts)).toEqual(template)
})

test.each<[what: string, ...texts: string[]]>([
  ['states', 'RUNNING', 'NOT_STARTED', 'RUNNING', 'NOT_STARTED'],
  ['names of fields', 'description', 'file_name', 'steps[0].order', 'steps[1].approvers[0].name'],
  ['codes', '<Code>SignatureDoesNotMatch</Code>', '<Code>ContentLengthMismatch</Code>'],
  ['durations of ISO 8601', 'PT0.8312S', 'PT1.001S', 'PT0.46S', 'PT0.29S'],
  ['durations of .NET', '00:00:00.0432810', '00:00:00.0551203', '00:00:00.0397712'],
  ['seconds', '2s', '0.184s', '13s', '1.4s'],
  ['milliseconds', '0.142s', '0.009s', '0.169s'],
  ['other words', 'timeout', 'tooManyOpen', 'conflict'],
  ['sentences', 'Try again', 'All is well now'],
  ['the same text', 'Created', 'Created'],
])('%s without a fact have no template', (_, ...texts) => {
  expect(unexplained(texts)).toBeUndefined()
})

test('a number that most answers about one workflow share is not made anew', () => {
  const codes = [400, 400, 404, 400].map((code) => sampleOf({ answer: { name: 'x' } }, `urn:error:${code}`))
  expect(textTemplate(codes)).toBeUndefined()
})

test('a template of texts with facts in them renders each of the texts', () => {
  const word = fc.stringMatching(/^[a-z]{12,20}$/)
  const names = fc.uniqueArray(word, { minLength: 2, maxLength: 4 })
  fc.assert(
    fc.property(names, fc.constantFrom('', '/', ' is '), (names, mark) => {
      const texts = names.map((one) => `<${mark}${one}${mark}>`)
      const samples = samplesAt('/answer/name', names, texts)
      const { render } = compile(textTemplate(samples) ?? null)
      expect(samples.map(({ facts }) => render(facts, luck))).toEqual(texts)
    }),
  )
})

test.each([
  ['bound if it varies', true, ['minimum', 'enum'], 'breaks'],
  ['not bound if it does not', false, ['required', 'required'], 'is'],
])('the name of a rule in a sentence is %s', (_, isBound, rules, verb) => {
  const samples = rules.map((rule, index) => {
    const pointer = ['/name', '/order'][index]
    return sampleOf({ problem: { errors: [{ rule, pointer }] } }, `${pointer} ${verb} ${rule}`, { thing: `${index}` })
  })
  expect(JSON.stringify(textTemplate(samples) ?? null).includes('/rule')).toBe(isBound)
})

test.each([
  ['/file_name', 'File name is missing', 'words'],
  ['/steps/1/order', "Value at 'steps[1].order' is missing", 'brackets'],
  ['/steps/1/order', 'steps.1.order is missing', 'dotted'],
  ['/steps/1/step_id', 'steps[1].stepId is missing', 'camel-brackets'],
  ['/steps/1/step_id', "The field 'Steps[1].StepId' is missing", 'pascal-brackets'],
  ['/steps/1/step_id', 'stepId is missing', 'camel'],
])('a sentence that names the field %s follows what was broken', (pointer, value, as) => {
  const { $text } = textTemplate(samplesAt('/problem/errors/0/pointer', [pointer], [value])) as { $text: unknown[] }
  expect($text).toContainEqual({ $: '/problem/errors/0/pointer', as })
})

test('a ULID that is made anew is one of its time', () => {
  const [one, other] = [now, later(1000)].map((now) => compile({ $new: 'ulid' }).render({ now }, luck))
  expect(one).toMatch(/^01[0-9A-HJKMNP-TV-Z]{24}$/)
  expect(String(other) > String(one)).toBe(true)
})
