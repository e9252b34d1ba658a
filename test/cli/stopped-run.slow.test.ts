import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reference } from '../../conformance/selftest/reference.ts'
import { isCall } from '../../conformance/selftest/wrapper.ts'
import { runHere, start } from '../support/command.ts'
import { scratch } from '../support/scratch.ts'
import { addressOf } from '../support/serve.ts'

/** A sound server that never answers an execution, and reports when one is requested. */
function createStuckServer() {
  const sound = reference()
  let onAsked = () => {}
  const asked = new Promise<void>((resolve) => {
    onAsked = resolve
  })
  const fetch = (request: Request) => {
    if (!isCall(request, 'executeWorkflow')) return sound(request)
    onAsked()
    return new Promise<Response>(() => {})
  }
  return { fetch, asked }
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  'on %s the reports so far are written, with what was made',
  async (signal) => {
    const folder = scratch()
    const { fetch, asked } = createStuckServer()
    const url = await addressOf(fetch)
    const args = ['conformance', '--url', url, '--report', 'json,junit,html']
    const { child, ended } = start(args, { COUNTERSIGN_API_KEY: 'test_stopped' }, folder)
    await asked
    child.kill(signal)
    const { code, stdout, stderr } = await ended
    expect([code, stderr]).toEqual([4, ''])
    expect(stdout).toMatch(
      / could not be judged\. .*\nThe run was stopped after \d+ requests\. The report has the results up to then/,
    )
    const report = JSON.parse(readFileSync(join(folder, 'conformance-report/report.json'), 'utf8'))
    expect(report).toMatchObject({
      verdict: 'could-not-run',
      stopped: expect.stringContaining('The run was stopped after'),
    })
    expect(report.exchanges.length).toBeGreaterThan(8)
    expect(report.leftBehind).toContainEqual(expect.stringMatching(/^workflow conformance-/))
    expect(report.leftBehind).toContainEqual(expect.stringMatching(/^object /))
    expect(report.counts.fail).toBe(0)
    for (const file of ['junit.xml', 'report.html']) {
      expect(readFileSync(join(folder, 'conformance-report', file), 'utf8')).toContain('The run was stopped after')
    }
    const again = await runHere(['judge', 'conformance-report'], {}, folder)
    expect(again.code).toBe(4)
    expect(again.stdout).toContain('The run was stopped after')
  },
)
