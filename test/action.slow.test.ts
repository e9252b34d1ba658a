import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { startMock } from '../src/node/index.ts'
import { scratch } from './support/scratch.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Run {
  readonly code: number
  readonly outputs: Readonly<Record<string, string>>
  readonly printed: string
}

/** Runs the action's script as GitHub's runner does, against a mock. */
async function runAction(inputs: Readonly<Record<string, string>>): Promise<Run> {
  const folder = scratch()
  const output = join(folder, 'output')
  writeFileSync(output, '')
  const env = {
    ...process.env,
    ...{ GITHUB_ACTIONS: 'true', GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: join(folder, 'summary.md') },
    ...{ COUNTERSIGN: join(root, 'cli/countersign.js'), COUNTERSIGN_API_KEY: 'test_action', COUNTERSIGN_API_KEY_2: '' },
    ...{ PROFILE: '', BASELINE: '', REPORT: 'junit', REPORT_DIR: join(folder, 'report'), FAIL_ON_UNDECIDED: 'true' },
    ...inputs,
  }
  return new Promise((resolve) => {
    execFile('bash', [join(root, '.github/action/run.sh')], { env }, (error, stdout) => {
      const lines = readFileSync(output, 'utf8').trim().split('\n')
      const outputs = Object.fromEntries(lines.map((line) => line.split('=', 2) as [string, string]))
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, outputs, printed: stdout })
    })
  })
}

async function startedMock() {
  const mock = await startMock()
  onTestFinished(() => mock.close())
  return mock
}

test('the action passes for a sound deployment, and tells its counts', async () => {
  const { url } = await startedMock()
  const { code, outputs } = await runAction({ COUNTERSIGN_URL: url })
  expect(code).toBe(0)
  expect(outputs).toMatchObject({ verdict: 'conforming', failed: '0' })
  expect(Number(outputs.passed)).toBeGreaterThan(40)
  expect(JSON.parse(readFileSync(outputs.report ?? '', 'utf8')).verdict).toBe('conforming')
})

test('the action fails for a broken deployment, with annotations', async () => {
  const mock = await startedMock()
  mock.setSettings({ faults: [{ probability: 1, status: 404, operationId: 'getWorkflow' }] })
  const PROFILE = join(scratch(), 'profile.json')
  writeFileSync(PROFILE, '{"version":1,"settleSeconds":0}')
  const { code, outputs, printed } = await runAction({ COUNTERSIGN_URL: mock.url, PROFILE })
  expect(code).toBe(1)
  expect(outputs.verdict).toBe('nonconforming')
  expect(Number(outputs.failed)).toBeGreaterThan(0)
  expect(printed).toContain('::error')
})

/** Writes a program that stands in for the suite, and ends undecided. */
function undecidedSuite(): string {
  const program = join(scratch(), 'undecided.cjs')
  writeFileSync(
    program,
    `const { mkdirSync, writeFileSync } = require('node:fs')
const folder = process.argv[process.argv.indexOf('--report-dir') + 1]
mkdirSync(folder)
writeFileSync(folder + '/report.json', '{"verdict":"undecided","checks":[{"verdict":"inconclusive","provenance":"documented","level":"must"}]}')
process.exitCode = 2`,
  )
  return program
}

test('the action passes an undecided run only if told to', async () => {
  const COUNTERSIGN = undecidedSuite()
  const strict = await runAction({ COUNTERSIGN })
  expect([strict.code, strict.outputs.verdict, strict.outputs.undecided]).toEqual([2, 'undecided', '1'])
  const lenient = await runAction({ COUNTERSIGN, FAIL_ON_UNDECIDED: 'false' })
  expect([lenient.code, lenient.outputs.verdict]).toEqual([0, 'undecided'])
  expect(lenient.printed).toContain('::warning::')
})

test('without a report, the verdict is that it could not run', async () => {
  const { code, outputs } = await runAction({ COUNTERSIGN_URL: 'http://127.0.0.1:9' })
  expect(code).toBe(4)
  expect(outputs).toEqual({
    verdict: 'could-not-run',
    passed: '0',
    failed: '0',
    known: '0',
    undecided: '0',
    report: '',
  })
})
