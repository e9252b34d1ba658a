import fc from 'fast-check'
import { gapIds, type RequirementId, requirement, requirementIds } from '../../conformance/catalogue/catalogue.ts'
import { runVerdict, verdicts } from '../../conformance/judging/verdict.ts'
import type { CheckResult, ExchangeRecord, RunResult } from '../../conformance/report/result.ts'
import { character } from './character.ts'

/** Requirements that have a check. */
export const checked = requirementIds.filter((id) => !requirement(id).unobservable)

/** Returns the result of a check, which passes unless `more` says otherwise. */
export function checkResult(id: RequirementId, more: Partial<CheckResult> = {}): CheckResult {
  const { section, provenance, level } = requirement(id)
  const common = { verdict: 'pass', flaky: false, message: 'As documented.', durationMs: 20, exchanges: [] } as const
  return { id, requirement: id, section, provenance, level, ...common, ...more }
}

/** Returns the result of a check that failed with a message. */
export const failed = (id: RequirementId, message: string, more: Partial<CheckResult> = {}): CheckResult =>
  checkResult(id, { verdict: 'fail', message, ...more })

/** Returns a request with its answer. */
export function exchange(more: Partial<ExchangeRecord> = {}): ExchangeRecord {
  return {
    method: 'POST',
    url: 'https://approvals.example/api/v1/workflows',
    requestHeaders: { authorization: '***', 'content-type': 'application/json' },
    requestBody: '{"name":"conformance-1234-a"}',
    status: 201,
    responseHeaders: { 'content-type': 'application/json' },
    responseBody: '{"workflow_id":"w-1"}',
    durationMs: 31,
    ...more,
  }
}

/** Returns a run whose verdict follows from its checks. */
export function runResult(checks: readonly CheckResult[] = [], more: Partial<RunResult> = {}): RunResult {
  return {
    url: 'https://approvals.example',
    runId: '1234abcd',
    startedAt: '2025-03-04T05:06:07.890Z',
    durationMs: 4200,
    verdict: runVerdict(checks),
    checks,
    gaps: [],
    located: {},
    findings: [],
    leftBehind: [],
    requests: { sent: 0, answeringMs: 0, waitingMs: 0 },
    exchanges: [],
    withheld: [],
    crashes: [],
    settings: { profile: {}, hasSecondKey: false, selected: checked, tries: 3, asksQuestions: true },
    notes: [],
    ...more,
  }
}

/** Texts that a server might send to attack a report, and random texts. */
export const hostileText = fc.oneof(
  fc.string({ unit: character, maxLength: 30 }),
  fc
    .array(
      fc.constantFrom(
        ...'<script>alert(1)</script> </style><script ]]> --> <!-- " \' & &#27; \x1b[2J \u009b31m'.split(' '),
        ...[...'\0\r\n\t\u202e\ufffe\u2028|`\u{e0041}', '\ud800', '\udfff', '<img src=x onerror=x>'],
        ...'``` @all javascript:x </details> ](https://evil.example) __proto__ $(id)'.split(' '),
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join('')),
)

const headers = fc.dictionary(hostileText, hostileText, { maxKeys: 3 })

const exchanges = fc.record(
  {
    method: hostileText,
    url: hostileText,
    requestHeaders: headers,
    requestBody: hostileText,
    status: fc.integer({ min: 100, max: 599 }),
    responseHeaders: headers,
    responseBody: hostileText,
    durationMs: fc.nat(),
    failure: hostileText,
  },
  { requiredKeys: ['method', 'url', 'requestHeaders', 'responseHeaders', 'responseBody', 'durationMs'] },
)

const anyCheck = (id: RequirementId, others: number) =>
  fc
    .record({
      verdict: fc.constantFrom(...verdicts),
      provenance: fc.constantFrom('documented', 'inherited', 'assumed'),
      level: fc.constantFrom('must', 'should', 'observe'),
      section: fc.oneof(fc.constant(requirement(id).section), hostileText),
      flaky: fc.boolean(),
      message: hostileText,
      blockedBy: fc.constantFrom(...checked),
      durationMs: fc.nat(),
      exchanges: fc.array(fc.nat(others), { maxLength: 3 }),
      particulars: fc.record(
        {
          call: hostileText,
          pointer: hostileText,
          sent: hostileText,
          shown: hostileText,
          exchange: fc.nat(others),
        },
        { requiredKeys: [] },
      ),
    })
    .map(({ particulars, ...more }) => checkResult(id, { ...(more as Partial<CheckResult>), ...particulars }))

/** Random runs, with hostile texts wherever a server controls the content. */
export const anyRun: fc.Arbitrary<RunResult> = fc
  .record({
    checks: fc.subarray(checked, { maxLength: 8 }).chain((ids) => fc.tuple(...ids.map((id) => anyCheck(id, 3)))),
    url: hostileText,
    located: headers,
    leftBehind: fc.array(hostileText, { maxLength: 3 }),
    notes: fc.array(hostileText, { maxLength: 3 }),
    exchanges: fc.array(exchanges as fc.Arbitrary<ExchangeRecord>, { maxLength: 4 }),
    gaps: fc
      .subarray(gapIds, { maxLength: 3 })
      .chain((ids) =>
        fc.tuple(
          ...ids.map((id) => fc.record({ id: fc.constant(id), observed: hostileText, sameAsOurs: fc.boolean() })),
        ),
      ),
    durationMs: fc.nat(),
    requests: fc.record({ sent: fc.nat(), answeringMs: fc.nat(), waitingMs: fc.nat() }),
  })
  .map(({ checks, ...more }) => runResult(checks, more))
