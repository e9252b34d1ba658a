/** What each report shows of one run, which has a check of each kind. The tests of a report have the rest. */
import { expect, test } from 'vitest'
import type { BaselineOutcome } from '../../../conformance/judging/baseline.ts'
import { ctrfReport } from '../../../conformance/report/ctrf.ts'
import { githubAnnotations, githubSummary } from '../../../conformance/report/github.ts'
import { htmlReport } from '../../../conformance/report/html.ts'
import { jsonReport } from '../../../conformance/report/json.ts'
import { junitReport } from '../../../conformance/report/junit.ts'
import { summary } from '../../../conformance/report/terminal.ts'
import { checkResult, exchange, failed, runResult } from '../../support/run-result.ts'

const particulars = {
  call: 'GET /api/v1/workflows/w-1',
  pointer: '/steps/0/order',
  sent: '1',
  shown: '"first"',
  exchange: 1,
} as const
const finding = {
  what: 'step.order',
  answer: 'details',
  value: 'first',
  place: '/steps/0/nr',
  rule: 'by words',
  strength: 'named',
  rejected: ['/label: does not follow what was sent'],
} as const
const result = runResult(
  [
    failed('step.order', 'It differs.', {
      exchanges: [0, 1, 2, 3, 4],
      ...particulars,
      ground: { name: 'named', finding },
    }),
    failed('workflow.name', 'It is cut.', { exchanges: [0], ground: { name: 'outcome' } }),
    failed('workflow.description', 'It is 100 % wrong.\n::error::injected'),
    failed('http.json-is-declared', 'It has none.'),
    failed('workflow.steps', 'None.', { provenance: 'assumed' }),
    checkResult('step.name'),
    checkResult('step.estimated-duration'),
    checkResult('step.type-approval', { verdict: 'blocked', message: 'It waits.' }),
    checkResult('step.approvers', { exchanges: [0] }),
    checkResult('execution.document-id', { verdict: 'accepted' }),
  ],
  {
    exchanges: ['create', 'ask', 'read', 'read again', 'confirm'].map((responseBody) => exchange({ responseBody })),
    notes: ['The clock jumped.'],
    leftBehind: ['workflow a', 'workflow b'],
    gaps: [
      { id: 'gap.duration-unit', observed: 'hours', sameAsOurs: false },
      { id: 'gap.step-order', observed: 'as ours', sameAsOurs: true },
    ],
  },
)
const entry = { owner: 'Ada', reason: 'ticket 7', expires: '2030-01-02' }
const baseline: BaselineOutcome = {
  expected: [{ check: 'workflow.name', ...entry }],
  unexpectedPasses: [{ check: 'step.name', ...entry }],
  expired: (['workflow.description', 'step.estimated-duration'] as const).map((check) => ({
    check,
    ...entry,
    expires: '2020-01-02',
  })),
}

const withoutMarkup = (page: string) =>
  page
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/g, ' ')
const withoutEntities = (text: string) =>
  text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
const page = htmlReport(result, baseline)
const order = 'Section 2 says: "Position of the step in execution order, starting at 1."'
const differs = 'GET /api/v1/workflows/w-1, at /steps/0/order: the run sent 1; the answer shows "first"'
const declares = 'RFC 9110 section 8.3: An answer with a JSON body declares it in `Content-Type`.'
const broken =
  '2 documented facts are broken. 2 entries of the baseline expired, and 1 known failure of the baseline passed, ' +
  'so the baseline is out of date.'

test.each<[report: string, text: string, shown: string[], hidden?: string[]]>([
  [
    'the end on a terminal',
    summary(result, { baseline, files: ['out/report.json'] }),
    [
      `2 open questions answered, 1 different from the reference.
  What is the unit of \`estimated_duration\`? Here: hours.
2 items left behind; the report lists them.
Note: The clock jumped.
Report: out/report.json

`,
      `
known          workflow.name (section 2): It is cut.
               Section 2 says: "Workflow name, at most 100 characters."
               Known until 2030-01-02 (Ada): ticket 7
warn           http.json-is-declared (RFC 9110 section 8.3, inherited): It has none.
               ${declares}
warn           workflow.steps (section 2, assumed): None.
               Our choice says: "Approval steps with approvers and estimated duration."
fail           step.order (section 2): It differs.
               ${differs}
               ${order}
fail           workflow.description (section 2): It is 100 % wrong.␊::error::injected
               Section 2 says: "Free text describing the workflow."

https://approvals.example is nonconforming. 10 checks in 4.2 s: 2 fail, 1 known failure, 2 warnings, 1 blocked, \
1 accepted but not shown, 3 verified.
${broken}`,
    ],
    ['Reason:', 'as ours'],
  ],
  [
    'the verbose end on a terminal',
    summary(result, { verbose: true }),
    [
      'fail step.order: Reason: a named place, step.order at details /steps/0/nr (by words; not taken: /label: does',
      'fail workflow.name: Reason: whether the call was accepted, and with which status.\n',
    ],
  ],
  [
    'junit.xml',
    junitReport(result, baseline),
    [
      `<failure type="fail" message="It differs.">It differs.
Call: GET /api/v1/workflows/w-1
Pointer: /steps/0/order
Sent by the run: 1
Shown: &quot;first&quot;
${order.replaceAll('"', '&quot;')}</failure>
      <system-out>Request 1 of report.json: POST https://approvals.example/api/v1/workflows answered 201
Sent: {&quot;name&quot;:&quot;conformance-1234-a&quot;}
Answered: ask

Request 3 of`,
      'Answered: read again\n\nRequest 4 of',
      'Answered: confirm</system-out>',
      '<skipped type="known-failure" message="Known until 2030-01-02 (Ada): ticket 7">It is cut.\n',
      '<failure type="unexpected-pass" message="The check passes, but the baseline lists it as a known failure. Remove',
      'message="It is 100 % wrong.&#10;::error::injected Its entry of the baseline expired on 2020-01-02 (owner: Ada).',
      `<system-out>Warning: It has none.\n${declares}</system-out>`,
      '<system-out>Warning: None.\nOur choice says: ',
      '<testsuite name="step" tests="5" ',
      '<property name="note" value="The clock jumped."/>',
      '<testcase name="step.approvers" classname="countersign.step" time="0.020"/>',
    ],
  ],
  [
    'report.html',
    withoutMarkup(page),
    [
      'fail order , an integer, is the step&#39;s position in execution order.',
      '--header "authorization: $COUNTERSIGN_API_KEY"',
      `It differs. Call GET /api/v1/workflows/w-1 Pointer /steps/0/order Sent by the run 1 Shown "first" Exchange #1`,
      'Reason: a named place, step.order at details /steps/0/nr (by words; not taken: /label: does not follow what',
      'Reason: whether the call was accepted, and with which status. Known until 2030-01-02, owner Ada: ticket 7',
      'It does not make the deployment nonconforming: the interface document leaves it open',
      'The baseline is out of date. The check passes, but the baseline lists it as a known failure.',
      'different What is the unit of estimated_duration ? This deployment hours The reference Minutes, at least 1.',
    ],
  ],
  [
    'the marks of report.html',
    page,
    ['class="check bad" id="check-step.order" open>', 'class="check unsure" id="check-workflow.steps" open>'],
    ['id="check-step.approvers" open'],
  ],
  [
    'the summary on GitHub',
    withoutEntities(githubSummary(result, baseline)),
    [
      `## nonconforming: https://approvals.example\n\n${broken}`,
      '2 fail, 1 known failure, 2 warnings, 1 blocked, 1 accepted but not shown, 3 verified; 4.2 s, 0 requests.\n\n- The clock',
      `
| fail | \`step.order\` | 2 Resources and their fields | documented | It differs. ${differs} |
| fail | \`workflow.description\` | 2 Resources and their fields | documented | It is 100 % wrong.␊::error::injected |
| known | \`workflow.name\` | 2 Resources and their fields | documented | It is cut. |
| warn | \`http.json-is-declared\` | RFC 9110 section 8.3 | inherited | It has none. |
| warn | \`workflow.steps\` | 2 Resources and their fields | assumed | None. |
| blocked | \`step.type-approval\` | 2 Resources and their fields | documented | It waits. |

<details><summary>1 open question answered differently from the reference</summary>`,
      '| hours |',
    ],
    ['as ours'],
  ],
  [
    'the annotations on GitHub',
    `\n${githubAnnotations(result, baseline)}`,
    [
      `\n::error title=step.order::It differs. ${differs}. ${order}\n`,
      '\n::error title=workflow.description::It is 100 %25 wrong.␊::error::injected Its entry of the baseline expired on ',
      '\n::error title=step.estimated-duration::Its entry of the baseline expired on 2020-01-02 (owner: Ada). Fix the ',
      '\n::error title=step.name::The check passes, but the baseline lists it as a known failure. Remove its entry.\n',
      `\n::warning title=http.json-is-declared::It has none. ${declares}\n`,
    ],
    ['step.approvers'],
  ],
  [
    'ctrf-report.json',
    ctrfReport(result, baseline),
    [
      '"name": "step.approvers",\n        "status": "passed"',
      '"suite": [\n          "countersign",\n          "step"\n        ],\n        "rawStatus": "fail",\n        "message": "It differs."',
      `Section 2 says: \\"Position of the step in execution order, starting at 1.\\"\\n\\nRequest 1 of report.json: `,
    ],
  ],
])('%s shows a run', (_, text, shown, hidden = []) => {
  expect(shown.filter((one) => !text.includes(one))).toEqual([])
  expect(hidden.filter((one) => text.includes(one))).toEqual([])
})

test('report.json has the particulars as members of the check', () => {
  const [first, second] = jsonReport(result).checks
  expect(first).toMatchObject(particulars)
  expect(second).not.toHaveProperty('call')
})
