/** Whatever a profile says and a client sends, a mock is not started with the one, or answers the other. */
import { validateHeaderValue } from 'node:http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withheld } from '../../src/contract/http.ts'
import { createMock } from '../../src/index.ts'
import { identifierNames, type Profile } from '../../src/profile/profile.ts'
import { alphabets, forms, timeForms } from '../../src/profile/template.ts'
import { character } from '../support/character.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { isDeep } from '../support/sample.ts'
import { freshKey, workflow } from '../support/service.ts'

const odd = [
  '日本.pdf',
  'é',
  'a\r\nSet-Cookie: b=c',
  '\u0000\u007f\t',
  '\ud800',
  '"; x="ä',
  '../a b',
  '',
  ' ',
  '%',
  '/x?y#z',
]
const oddText = fc.oneof(fc.constantFrom(...odd), fc.string({ unit: character }))
const pointers =
  '/answer /answer/people /answer/estimated /request /request/file_name /request/name /request/toString /request/steps ' +
  '/problem /problem/status /problem/errors /asked /base /now /key /session_id /object/sha256 0 0/step_id 1#'
const pointer = fc.constantFrom(...pointers.split(' '))
const number = fc.oneof(fc.integer(), fc.constantFrom(1e300, 0, 8.64e12, Number.POSITIVE_INFINITY))
const part = fc.constantFrom('/order', '/email', '/name')
const choice = { by: part, where: part, unless: part, limit: fc.integer({ min: 1 }), reversed: fc.constant(true) }
const form = fc.constantFrom(...Object.keys(forms))
const kind = fc.constantFrom('uuid', 'ulid', 'counter', 'integer', ...Object.keys(alphabets))

const { template } = fc.letrec<{ template: unknown }>((tie) => {
  const inner = tie('template')
  const some = <T>(required: T, optional: object = {}) =>
    fc.record({ ...required, ...optional } as Record<string, fc.Arbitrary<unknown>>, {
      requiredKeys: Object.keys(required as object),
    })
  const object = fc.dictionary(fc.oneof(fc.constantFrom('a', 'toString', '__proto__', 'constructor'), oddText), inner, {
    maxKeys: 3,
  })
  const sound = fc.oneof(
    { weight: 4, arbitrary: oddText },
    { weight: 4, arbitrary: some({ $: pointer }, { as: form, or: inner }) },
    fc.oneof(number, fc.constant(null), fc.boolean()),
    some({ $text: fc.array(inner, { maxLength: 3 }) }, { as: form }),
    some({ $each: pointer, item: inner }, choice),
    some({ $entries: pointer, key: inner, value: inner }, choice),
    some({ $concat: fc.array(inner, { maxLength: 2 }) }, { or: inner }),
    some({ $count: pointer }, { as: form }),
    some({ $case: pointer, values: object }, { else: inner }),
    some({ $if: pointer }, { present: inner, absent: inner, above: number, where: part }),
    some({ $time: pointer, form: fc.constantFrom(...timeForms) }, { plus: number, zone: number }),
    some({ $new: kind }, { length: fc.nat(40), from: number, per: fc.constant('call') }),
    some({ $members: object }),
    object,
    fc.array(inner, { maxLength: 2 }),
  )
  const instruction = fc.constantFrom('$', '$text', '$each', '$case', '$if', '$time', '$new', '$none')
  const broken = fc.dictionary(instruction, inner, { maxKeys: 2 })
  return {
    template: fc.oneof({ maxDepth: 3 }, { weight: 400, arbitrary: sound }, { weight: 1, arbitrary: broken }),
  }
})

const mostly = <T, U>(usual: fc.Arbitrary<T>, seldom: fc.Arbitrary<U>) =>
  fc.oneof({ weight: 60, arbitrary: usual }, { weight: 1, arbitrary: seldom })
const status = fc.constantFrom(200, 201, 204, 205, 302, 304, 404, 500, 599)
const headerName = mostly(
  fc.constantFrom('content-type', 'Content-Disposition', 'location', 'Link', 'x-name', 'etag', 'Constructor', 'date'),
  fc.oneof(oddText, fc.constantFrom(...withheld.keys())),
)
const answer = fc.record(
  {
    status: mostly(
      fc.oneof(status, fc.record({ $case: pointer, values: fc.dictionary(fc.string(), status) })),
      fc.oneof(fc.constantFrom(99, 1000, 'x', null), template),
    ),
    headers: fc.dictionary(headerName, template, { maxKeys: 3 }),
    body: template,
    text: template,
  },
  { requiredKeys: [] },
)
const few = (names: readonly string[], one: fc.Arbitrary<unknown>) =>
  fc.record(Object.fromEntries(names.map((name) => [name, one])), { requiredKeys: [] })
const calls =
  'createWorkflow executeWorkflow getWorkflow requestUpload confirmUpload putObject listWorkflows getExecution'
const codes = 'missing-key invalid-request workflow-not-found unknown-path confirmed-again SignatureDoesNotMatch'
const profile = fc.record(
  {
    version: fc.constant(1),
    answers: few(calls.split(' '), answer),
    refusals: few(codes.split(' '), answer),
    identifiers: few(identifierNames, template),
    uploadUrl: fc.oneof(
      template,
      fc.constant({ $text: ['/files/', { $: '/key', as: 'path' }, '?s=', { $new: 'hex' }] }),
    ),
    executionPaths: fc.constant(['/api/v1/executions/{execution_id}']),
  },
  { requiredKeys: ['version'] },
)

/** Sends the documented flow and some refused calls, with texts that are hard to write, and looks at each answer. */
async function play(like: Profile, text: string): Promise<'refused' | 'answered'> {
  const faults: unknown[] = []
  const mock = createMock({ like, approvers: 'instant', onFault: (error) => faults.push(error) })
  try {
    await mock.ready
  } catch (error) {
    expect(String(error)).toMatch(/^RangeError: The profile cannot be used: /)
    return 'refused'
  }
  const key = freshKey()
  const send = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const url = path.startsWith('http') ? path : `http://mock.test${path}`
    const json = body && { body: JSON.stringify(body) }
    const own = { Authorization: key, 'Content-Type': 'application/json', ...headers }
    const response = await mock.fetch(url, { method, headers: own, ...json })
    const isWrong = ([name, value]: [string, string]) => validateHeaderValue(name, value) ?? !/^[ -~]*$/.test(value)
    expect([...response.headers].filter(isWrong)).toEqual([])
    return response.text()
  }
  const created = await send('POST', '/api/v1/workflows', { ...workflow(), name: text, toString: 7, more: text })
  const id = encodeURIComponent(/"workflow_id":"([^"]*)"/.exec(created)?.[1] ?? 'none')
  const file = { file_name: text, content_type: 'application/pdf', file_size: 2 }
  const url = /"upload_url":"(http[^"]*)"/.exec(await send('POST', '/api/v1/upload/', file))?.[1] ?? '/storage/none'
  await send('PUT', url, [], { 'Content-Type': 'application/pdf' })
  await send('POST', '/api/v1/upload/confirm', { session_id: text, completed_files: [{ key: text, file_name: text }] })
  await send('POST', `/api/v1/workflows/${id}/execute`, { document_id: 'd', submitter_email: 'a@example.com' })
  for (const path of [`/api/v1/workflows/${id}`, '/api/v1/workflows', `/api/v1/executions/${id}`, '/ä', '/storage/x'])
    await send('GET', path)
  await send('GET', `/api/v1/workflows/${id}`, undefined, { Authorization: '' })
  expect(faults).toEqual([])
  return 'answered'
}

/** In parts, since all profiles of the weekly run take minutes. */
const parts = isDeep ? [1, 2, 3, 4, 5] : [1]

test.each(nonEmpty(parts))('a profile is refused, or every request gets an answer: part %i', async () => {
  const ends = { refused: 0, answered: 0 }
  const runs = isDeep ? 2000 : 500
  await fc.assert(
    fc.asyncProperty(profile, fc.constantFrom(...odd), async (drawn, text) => {
      // Objects of JSON have a prototype.
      ends[await play(structuredClone(drawn) as Profile, text)] += 1
    }),
    { numRuns: runs },
  )
  expect(Math.min(ends.refused, ends.answered)).toBeGreaterThan(runs / 40)
})
