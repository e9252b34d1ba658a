import fc from 'fast-check'
import { expect, test } from 'vitest'
import { alikeChecks } from '../../../conformance/report/alike.ts'
import { githubAnnotations, githubSummary } from '../../../conformance/report/github.ts'
import { forbidden } from '../../support/markup.ts'
import { anyRun, checked, checkResult, runResult } from '../../support/run-result.ts'

test('the summary shows verdict, counts and failing checks, the worst first', () => {
  const summary = githubSummary(
    runResult([
      checkResult('workflow.name'),
      checkResult('execution.document-id', { verdict: 'accepted', message: 'It answered 202.' }),
      checkResult('step.name', { verdict: 'blocked', message: 'It waits.' }),
      checkResult('http.json-is-declared', { verdict: 'fail', message: '' }),
      checkResult('storage.put-returns-200', { verdict: 'fail', message: 'It answered 204' }),
    ]),
  )
  expect(summary).toMatch(/^## nonconforming: https&#58;/)
  expect(summary).toContain('1 fail, 1 warning, 1 blocked, 1 accepted but not shown, 1 verified; 4.2 s, 0 requests.')
  const rows = summary.split('\n').filter((line) => /^\| (fail|warn|blocked) \| `/.test(line))
  expect(rows).toEqual([
    '| fail | `storage.put-returns-200` | 4&#46;5 Upload the file to storage | documented | It answered 204 |',
    expect.stringContaining('| warn | `http.json-is-declared` |'),
    '| blocked | `step.name` | 2 Resources and their fields | documented | It waits&#46; |',
  ])
})

test('open questions that differ are folded, the others are omitted', () => {
  const gaps = [
    { id: 'gap.duration-unit', observed: 'hours', sameAsOurs: false },
    { id: 'gap.step-order', observed: 'as ours', sameAsOurs: true },
  ] as const
  const summary = githubSummary(runResult([], { gaps }))
  expect(summary).toContain('<details><summary>1 open question answered differently from the reference</summary>')
  expect(summary).toContain('| hours |')
  expect(summary).not.toContain('as ours')
})

test('the summary stays far below the limit of GitHub', () => {
  const message = '\u{1f600}|<&'.repeat(1000)
  const checks = Array(40)
    .fill(checked.map((id) => checkResult(id, { verdict: 'fail', message })))
    .flat()
  const summary = githubSummary(runResult(checks))
  expect(Buffer.byteLength(summary)).toBeLessThan(300 * 1024)
  expect(summary).toMatch(/And \d+ more; report\.json lists them\./)
})

test('with hostile texts, the summary contains no markup or Markdown', () => {
  const ours = githubSummary(runResult([checkResult('workflow.name', { verdict: 'fail', message: '' })]))
  const cells = ours
    .split('\n')
    .find((line) => line.startsWith('| fail'))
    ?.split('|').length
  fc.assert(
    fc.property(anyRun, (result) => {
      const summary = githubSummary(result)
      expect(summary).not.toMatch(forbidden)
      expect(summary.replaceAll(/<\/?(details|summary)>/g, '')).not.toMatch(/[<>@[\]*]/)
      const grouped = alikeChecks(result.checks).flatMap(({ checks }) => checks)
      const shown = result.checks.filter(
        (check) => check.verdict !== 'pass' && check.verdict !== 'accepted' && !grouped.includes(check),
      )
      const rows = summary.split('\n').filter((line) => / \| `[a-z-]+\.[a-z0-9-]+` \| /.test(line))
      expect(rows).toHaveLength(shown.length)
      expect(rows.filter((row) => row.split('|').length !== cells)).toEqual([])
    }),
  )
})

test('what fails is annotated on one line each, warnings apart', () => {
  const message = 'It is 100 % wrong.\n::error::injected'
  const failing = checkResult('workflow.name', { verdict: 'fail', message })
  const mild = checkResult('http.json-is-declared', { verdict: 'fail', message: 'It has none.' })
  const lines = githubAnnotations(runResult([failing, mild, checkResult('step.name')])).split('\n')
  expect(lines).toEqual([
    expect.stringMatching(/^::error title=workflow\.name::It is 100 %25 wrong\.␊::error::injected Section 2 says: /),
    expect.stringMatching(/^::warning title=http\.json-is-declared::It has none\. RFC 9110/),
    '',
  ])
})

test('checks that share a reason are one line of the summary', () => {
  const cause = checkResult('auth.raw-key', { verdict: 'inconclusive', message: 'POST /x answered 401.' })
  const others = (['workflow.name', 'workflow.steps', 'step.name', 'step.order'] as const).map((id) =>
    checkResult(id, { verdict: 'blocked', blockedBy: 'auth.raw-key', message: 'Blocked by auth.raw-key: it failed.' }),
  )
  const summary = githubSummary(runResult([cause, ...others]))
  expect(summary).toContain('\n- blocked: 4 checks by auth&#46;raw-key (report&#46;json lists them)\n')
  expect(summary.match(/^\| [a-z]+ \| `/gm)).toHaveLength(1)
})

test('an undecided run is annotated with what could not be decided', () => {
  const open = checkResult('auth.raw-key', { verdict: 'inconclusive', message: 'POST /x answered 401.' })
  expect(githubAnnotations(runResult([open]))).toMatch(/^::error title=auth\.raw-key::POST \/x answered 401\./)
  const stopped = runResult([], { verdict: 'could-not-run', stopped: 'The run was stopped after 3 requests.' })
  expect(githubAnnotations(stopped)).toMatch(/^::error title=could-not-run::The run was stopped after 3 requests\./)
  expect(githubAnnotations(runResult([checkResult('step.name')], { verdict: 'conforming' }))).toBe('')
})

test('entries of the baseline that fail a run are annotated', () => {
  const entry = { owner: 'Ada', reason: 'ticket 7', expires: '2020-01-02' }
  const baseline = {
    expected: [],
    unexpectedPasses: [{ check: 'step.name', ...entry }],
    expired: [{ check: 'step.order', ...entry }],
  } as const
  const result = runResult([checkResult('step.name'), checkResult('step.order')], { verdict: 'nonconforming' })
  expect(githubAnnotations(result, baseline).split('\n')).toEqual([
    expect.stringMatching(/^::error title=step\.order::Its entry of the baseline expired on 2020-01-02 \(owner: Ada\)/),
    expect.stringMatching(/^::error title=step\.name::The check passes, .* Remove its entry\.$/),
    '',
  ])
})
