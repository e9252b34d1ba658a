import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RequirementId } from '../../conformance/catalogue/catalogue.ts'
import { applyBaseline, type BaselineEntry, readBaseline } from '../../conformance/judging/baseline.ts'
import { binds, type Verdict, verdicts } from '../../conformance/judging/verdict.ts'
import { checked, checkResult, hostileText, runResult } from '../support/run-result.ts'
import { cases } from '../support/sample.ts'

const schema = JSON.parse(
  readFileSync(new URL('../../conformance/judging/baseline.schema.json', import.meta.url), 'utf8'),
)
const ajv = new Ajv2020()
addFormats.default(ajv)
const validate = ajv.compile(schema)

const today = '2025-03-04'
const entry = (check: RequirementId, more: Partial<BaselineEntry> = {}): BaselineEntry => {
  return { check, owner: 'Ada', reason: 'ticket 7', expires: '2030-01-02', ...more }
}
const file = (...entries: unknown[]) => JSON.stringify({ entries })

/** Applies a baseline that lists the first check to a run of two checks. */
function outcome(listed: Verdict, other: Verdict = 'pass') {
  const checks = [checkResult('workflow.name', { verdict: listed }), checkResult('step.name', { verdict: other })]
  return applyBaseline(runResult(checks), [entry('workflow.name')], today)
}

test('a baseline is read, with the schema it names', () => {
  const entries = [entry('workflow.name'), entry('step.name')]
  expect(readBaseline({ $schema: './baseline.schema.json', entries })).toEqual(entries)
})

test.each([
  ['a list', '[]', 'it is not an object. Write it like {"entries": []}.'],
  ['no entries', '{}', "it has no list 'entries'. Add one; it may be empty."],
  [
    'a number as schema',
    '{"$schema": 1, "entries": []}',
    "'$schema' is not a string. Use the path of the schema, or remove it.",
  ],
  ['another field', '{"entries": [], "\\u001b[2J": 1}', "it has an unknown field '␛[2J'. Use only $schema, entries."],
  [
    'a null entry',
    file(entry('step.name'), null),
    'entry 2 is not an object. Write it like {"check": "…", "owner": "…", "reason": "…", "expires": "YYYY-MM-DD"}.',
  ],
  ['no owner', file({ ...entry('step.name'), owner: undefined }), "entry 1 has no 'owner'. Add a text."],
  ['a blank reason', file(entry('step.name', { reason: ' ' })), "entry 1 has no 'reason'. Add a text."],
  [
    'another field of an entry',
    file({ ...entry('step.name'), until: 1 }),
    "entry 1 has an unknown field 'until'. Use only check, owner, reason, expires.",
  ],
  [
    'an unknown check',
    file({ ...entry('step.name'), check: 'step.nmae' }),
    "'check' of entry 1 is 'step.nmae', which is not a check. Use the id of a check as the report shows it, such as workflow.name.",
  ],
  [
    'a requirement that nothing can check',
    file(entry('service.two-areas')),
    "'check' of entry 1 is 'service.two-areas', which no client can observe. Remove the entry.",
  ],
  [
    'a day that does not exist',
    file(entry('step.name', { expires: '2025-02-30' })),
    "'expires' of entry 1 is '2025-02-30'. Write a day as YYYY-MM-DD.",
  ],
  [
    'a time',
    file(entry('step.name', { expires: '2025-02-03T00:00:00Z' })),
    "'expires' of entry 1 is '2025-02-03T00:00:00Z'. Write a day as YYYY-MM-DD.",
  ],
  [
    'a check listed twice',
    file(entry('step.name'), entry('workflow.name'), entry('step.name')),
    'entries 1 and 3 are both for step.name. Keep one of them.',
  ],
])('%s is refused in one line', (_, text, why) => {
  expect(() => readBaseline(JSON.parse(text))).toThrow(new Error(`The baseline cannot be used: ${why}`))
})

test('the reader refuses exactly what the schema refuses', () => {
  const value = fc.oneof(
    fc.constantFrom('step.name', 'workflow.name', '2030-02-28', '2030-02-31', '', ' '),
    hostileText,
  )
  const field = fc.constantFrom('check', 'owner', 'reason', 'expires', 'until', '__proto__')
  const changed = fc.tuple(field, fc.oneof(value, fc.constant(undefined), fc.integer())).map(([name, other]) => {
    return JSON.stringify({ entries: [{ ...entry('step.name'), [name]: other }] })
  })
  const around = fc.tuple(fc.constantFrom('$schema', 'entries', 'until'), value).map(([name, other]) => {
    return JSON.stringify({ entries: [], [name]: other })
  })
  const days = value.map((expires) => file(entry('step.name', { expires })))
  const texts = fc.oneof(changed, around, days, fc.json())
  fc.assert(
    fc.property(texts, (text) => {
      const isValid = validate(JSON.parse(text))
      try {
        readBaseline(JSON.parse(text))
        expect(isValid).toBe(true)
      } catch (error) {
        const { message } = error as Error
        // The schema does not list the ids of checks.
        if (isValid) expect(message).toMatch(/is not a check|no client can observe/)
        expect(message).toMatch(/^The baseline cannot be used: [^\p{Cc}]+\.$/u)
      }
    }),
  )
})

test.each<[expires: string, found: Verdict, verdict: string, ...notes: RegExp[]]>([
  ['2025-03-11', 'fail', 'conforming', /^Warning: .* step\.name expires in 7 days, on 2025-03-11 \(owner: Ada\)\./],
  ['2025-03-05', 'fail', 'conforming', /^Warning: .* step\.name expires tomorrow, on 2025-03-05/],
  ['2025-03-04', 'fail', 'conforming', /^Warning: .* step\.name expires today, on 2025-03-04/],
  ['2025-03-12', 'inconclusive', 'undecided'],
  ['2025-03-03', 'inconclusive', 'nonconforming', /expired/],
  [
    '2025-03-03',
    'fail',
    'nonconforming',
    /entry for step\.name expired on 2025-03-03 \(owner: Ada\) and counts as a failure\./,
  ],
])('entry until %s for a check (%s): the run is %s', (expires, found, verdict, ...notes) => {
  const checks = [checkResult('step.name', { verdict: found }), checkResult('workflow.name')]
  const { result } = applyBaseline(runResult(checks), [entry('step.name', { expires })], today)
  expect([result.verdict, result.notes]).toEqual([verdict, notes.map((note) => expect.stringMatching(note))])
})

test.each([
  ['fail', 'pass', 'conforming'],
  ['fail', 'fail', 'nonconforming'],
  ['fail', 'blocked', 'undecided'],
  ['pass', 'pass', 'nonconforming'],
  ['pass', 'inconclusive', 'nonconforming'],
  ['accepted', 'pass', 'nonconforming'],
  ['fail', 'accepted', 'conforming'],
  ['inconclusive', 'pass', 'undecided'],
  ['blocked', 'pass', 'undecided'],
  ['not-run', 'pass', 'undecided'],
  ['harness-error', 'pass', 'could-not-run'],
  ['fail', 'harness-error', 'could-not-run'],
] as const)('listed: %s, unlisted: %s; the run is %s', (listed, other, verdict) => {
  expect(outcome(listed, other).result.verdict).toBe(verdict)
})

test('a listed check that fails is expected', () => {
  const { expected, unexpectedPasses } = outcome('fail')
  expect([expected, unexpectedPasses]).toEqual([[entry('workflow.name')], []])
})

test.each([
  ['pass', 'passes'],
  ['accepted', 'is accepted'],
] as const)('a listed check that came to %s is named in a note that says what to do', (verdict, does) => {
  const { result, unexpectedPasses } = outcome(verdict)
  expect(unexpectedPasses).toEqual([entry('workflow.name')])
  expect(result.notes).toEqual([
    `workflow.name ${does}, although the baseline lists it as a known failure. Remove its entry.`,
  ])
})

test.each([
  ['a listed check', 'workflow.name'],
  ['another check', 'step.name'],
] as const)('%s that must be verified and is accepted leaves a run undecided', (_, id) => {
  const checks = [checkResult('execution.priority-high'), checkResult(id, { verdict: 'accepted' })]
  const run = runResult(checks)
  const result = { ...run, settings: { ...run.settings, requireVerified: [id] } }
  const { result: judged, unexpectedPasses } = applyBaseline(result, [entry('workflow.name')], today)
  expect([judged.verdict, unexpectedPasses]).toEqual(['undecided', []])
})

test('a run of nothing but known failures is not conforming', () => {
  const result = runResult([checkResult('step.name', { verdict: 'fail' })])
  expect(applyBaseline(result, [entry('step.name')], today).result.verdict).toBe('undecided')
})

test('a baseline without entries, or for a run that failed, changes nothing', () => {
  const broken = runResult([checkResult('step.name', { verdict: 'fail' })], { verdict: 'could-not-run' })
  expect(applyBaseline(broken, [entry('step.name')], today).result.verdict).toBe('could-not-run')
  const flaky = runResult([checkResult('step.name')], { verdict: 'undecided' })
  expect(applyBaseline(flaky, [], today).result).toEqual(flaky)
})

test('a run conforms only if exactly the listed checks fail', () => {
  const checkOf = (id: RequirementId) =>
    fc.constantFrom(...verdicts, 'pass').map((verdict) => checkResult(id, { verdict }))
  const runs = fc
    .subarray(checked, { minLength: 1, maxLength: 6 })
    .chain((ids) => fc.tuple(fc.tuple(...ids.map(checkOf)), fc.subarray(ids)))
  fc.assert(
    fc.property(runs, ([checks, listed]) => {
      const entries = listed.map((id) => entry(id))
      const { result } = applyBaseline(runResult(checks), entries, today)
      expect(result.checks).toEqual(checks)
      if (result.verdict !== 'conforming') return
      for (const check of checks) {
        const allowed = listed.includes(check.id) ? ['fail', 'not-applicable'] : ['pass', 'accepted', 'not-applicable']
        if (binds(check)) expect(allowed).toContain(check.verdict)
        if (listed.includes(check.id)) expect(check.verdict).not.toBe('pass')
      }
    }),
    { numRuns: cases(500, 50) },
  )
})
