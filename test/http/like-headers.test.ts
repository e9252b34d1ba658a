/** The statuses and headers that a profile may have, and how a mock writes them. */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sandbox, withheld } from '../../src/contract/http.ts'
import { createMock } from '../../src/index.ts'
import { flawOf, type Profile } from '../../src/profile/profile.ts'
import type { Json } from '../../src/profile/template.ts'
import { cases } from '../support/sample.ts'
import { clientOf } from '../support/service.ts'

/** Returns a header of the answer to a workflow with a name, as a profile writes it. */
async function headerFor(header: string, template: Json, name: string, status = 201): Promise<string | null> {
  const createWorkflow = { status, headers: { [header]: template }, text: 'a' }
  const answer = await clientOf(createMock({ like: { version: 1, answers: { createWorkflow } } })).create({ name })
  expect(answer.status).toBe(status)
  return answer.headers.get(header)
}

const named = (before: string, after = '') => ({ $text: [before, { $: '/answer/name' }, after] })

test.each([
  ['X-Name', named(''), 'plain "name"', 'plain "name"'],
  ['X-Name', named('a '), '日 é%', 'a %E6%97%A5 %C3%A9%'],
  ['X-Name', named(''), 'a\r\nSet-Cookie: b=c\t\u0000\u007f', 'a%0D%0ASet-Cookie: b=c%09%00%7F'],
  ['X-Name', named(''), '\u{1f4c4}', '%F0%9F%93%84'],
  ['Constructor', named(''), '日', '%E6%97%A5'],
  ['Location', named('/a b/'), 'plain name', '/a b/plain name'],
  ['Location', named('/a b/', '?c=%20#d'), '日|', '/a%20b/%E6%97%A5%7C?c=%20#d'],
  ['Content-Location', named('/'), 'é', '/%C3%A9'],
  [
    'Content-Disposition',
    named('attachment; filename="', '.pdf"'),
    "日 'x*",
    "attachment; filename*=UTF-8''%E6%97%A5%20%27x%2A.pdf",
  ],
  ['Content-Disposition', named('inline; filename='), 'é.pdf', "inline; filename*=UTF-8''%C3%A9.pdf"],
  [
    'Content-Disposition',
    named('inline; filename="', `"; filename*=UTF-8''a`),
    'é',
    `inline; filename="%C3%A9"; filename*=UTF-8''a`,
  ],
  ['Content-Disposition', named('inline; filename="a\\"', '"'), 'é', "inline; filename*=UTF-8''a%22%C3%A9"],
  ['Link', named('</', '>; rel="next"; title="日"'), 'é', `</%C3%A9>; rel="next"; title*=UTF-8''%E6%97%A5`],
  ['X-List', { $each: '/answer/steps', item: { $: '0/step_id' } }, 'a', 'legal,finance'],
  ['X-Object', { toString: { $: '/answer/name' } }, 'a', '{"toString":"a"}'],
])('%#: %s is written as its form wants it', async (header, template, name, written) => {
  expect(await headerFor(header, template as Json, name)).toBe(written)
})

test.each([204, 205, 304])('an answer with status %i has no body', async (status) => {
  expect(await headerFor('X-Name', 'a', 'b', status)).toBe('a')
})

test('an answer whose status a profile does not say is 200', async () => {
  const mock = createMock({ like: { version: 1, answers: { createWorkflow: { body: {} } } } })
  expect((await clientOf(mock).create()).status).toBe(200)
})

/** Returns the profile of a refusal. */
const refusing = (missing: object) => ({ version: 1, refusals: { 'missing-key': missing } })

test.each([
  [{ status: 99 }, /^at \/refusals\/missing-key\/status, it is no status from 200 to 599; use /],
  [{ status: { $case: '/problem/code', values: { a: 1000 } } }, /status, it is no status/],
  [{ status: { $: '/request/priority' } }, /status, it is no status/],
  [{ headers: { 'a b': 'c' } }, /headers\/a b, it is no name of a header/],
  [{ headers: { $case: '/problem/code', values: {} } }, /headers\/\$case, it is no name of a header/],
  [{ headers: { 'Keep-Alive': 'a' } }, /Keep-Alive, the header belongs to the connection; leave it out/],
  [{ headers: { Refresh: '0' } }, /Refresh, the header makes browsers act, .*; leave it out/],
  [{ headers: { 'X-Content-Type-Options': 'a' } }, /the mock sets this header itself; leave it out/],
  [{ $case: '/problem/code', values: {} }, /is not an object with status, headers and body/],
  [{ body: { $case: '/problem/code' } }, /body\/values, it is not an object/],
  [{ body: { $new: 'counter', from: {} } }, /body\/from, it is not a number/],
  [{ body: { $new: 'hex', length: -1 } }, /body\/length, the length is not a number up to 4096/],
  [{ body: { $new: 'hex', length: 4097 } }, /body\/length, the length is not a number up to 4096/],
])('%#: a mistake in an answer is named, and the mock does not start', async (missing, flaw) => {
  const mock = createMock({ like: refusing(missing) as Profile })
  await expect(mock.ready).rejects.toThrow(RangeError)
  await expect(mock.fetch('http://mock.test/')).rejects.toThrow(/^The profile cannot be used: /)
  expect(flawOf(refusing(missing))).toMatch(flaw)
})

test.each([0, 4096])('a new value may have %i characters', (length) => {
  expect(flawOf(refusing({ body: { $new: 'hex', length } }))).toBeUndefined()
})

const schema = JSON.parse(readFileSync(new URL('../../src/profile/profile.schema.json', import.meta.url), 'utf8'))
const isValid = new Ajv2020({ strict: true, allowUnionTypes: true, formats: { 'date-time': true } }).compile(schema)

const anyCase = (name: string) =>
  fc
    .array(fc.boolean(), { minLength: name.length, maxLength: name.length })
    .map((upper) => [...name].map((letter, index) => (upper[index] ? letter.toUpperCase() : letter)).join(''))
const headerName = fc.oneof(
  fc.constantFrom(...withheld.keys()).chain(anyCase),
  fc.constantFrom(...withheld.keys()).map((name) => `${name}x`),
  fc.constantFrom('Location', 'x-1', '$if', 'a b', '', 'é', 'a:b', '__proto__', '~!#'),
  fc.string(),
)
const { status } = fc.letrec<{ status: unknown }>((tie) => {
  const inner = tie('status')
  const pointer = fc.constantFrom('/problem/status', '/problem/code')
  const values = fc.oneof(fc.dictionary(fc.constantFrom('a', '$', 'null'), inner, { maxKeys: 2 }), fc.constant([]))
  const cases = { $case: pointer, values, else: inner }
  const condition = { $if: pointer, present: inner, absent: inner, where: fc.constantFrom('/a', 1) }
  const others = { $: pointer, or: inner, unless: fc.constant('/a'), above: fc.constantFrom(1, '1') }
  return {
    status: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { weight: 6, arbitrary: fc.constantFrom(200, 404, 599) },
      fc.constantFrom(199, 600, 404.5, '404', null, true, {}),
      fc.record(cases, { requiredKeys: ['$case', 'values'] }),
      fc.record(condition, { requiredKeys: ['$if'] }),
      fc.record({ ...cases, ...condition, ...others }, { requiredKeys: [] }),
    ),
  }
})

test('the schema of profiles and the mock accept the same statuses and headers', () => {
  const outcomes = new Set<boolean>()
  fc.assert(
    fc.property(fc.option(status), fc.dictionary(headerName, fc.string(), { maxKeys: 2 }), (drawn, headers) => {
      const profile = JSON.parse(JSON.stringify(refusing({ ...(drawn !== null && { status: drawn }), headers })))
      outcomes.add(isValid(profile))
      expect(flawOf(profile) === undefined, JSON.stringify(profile)).toBe(isValid(profile))
    }),
    { numRuns: cases(1000, 100) },
  )
  expect(outcomes.size).toBe(2)
})

test('each header of the sandbox is one that a profile cannot have', () => {
  expect(sandbox.filter(([name]) => !withheld.has(name.toLowerCase()))).toEqual([])
})
