import fc from 'fast-check'
import { expect, test } from 'vitest'
import { alikeChecks } from '../../../conformance/report/alike.ts'
import { githubAnnotations, githubSummary } from '../../../conformance/report/github.ts'
import { forbidden } from '../../support/markup.ts'
import { anyRun, checked, checkResult, failed, runResult } from '../../support/run-result.ts'

test('the summary stays far below the limit of GitHub', () => {
  const message = '\u{1f600}|<&'.repeat(1000)
  const checks = Array(40)
    .fill(checked.map((id) => failed(id, message)))
    .flat()
  const summary = githubSummary(runResult(checks))
  expect(Buffer.byteLength(summary)).toBeLessThan(300 * 1024)
  expect(summary).toMatch(/And \d+ more; report\.json lists them\./)
})

test('with hostile texts, the summary contains no markup or Markdown', () => {
  const ours = githubSummary(runResult([failed('workflow.name', '')]))
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
