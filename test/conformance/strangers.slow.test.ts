/** Runs against deployments by people who had read interface.md alone, as report.json has them. Each is judged again. */
import { readdirSync, readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { judgeReport } from '../../conformance/report/read-report.ts'
import { nonEmpty } from '../support/non-empty.ts'

const folder = new URL('strangers/', import.meta.url)
const faulty = '.fault.json.br'

/** Returns the verdict on a run, and the documented facts that are broken or undecided. */
async function judged(file: string) {
  const { result } = await judgeReport(JSON.parse(brotliDecompressSync(readFileSync(new URL(file, folder))).toString()))
  const open = result.checks.filter(
    ({ provenance, verdict }) => provenance === 'documented' && ['fail', 'inconclusive', 'blocked'].includes(verdict),
  )
  return [result.verdict, ...open.map(({ id, verdict }) => `${verdict} ${id}`)]
}

const sound = readdirSync(folder).filter((file) => !file.endsWith(faulty))

test.each(nonEmpty(sound))('%s is conforming', async (file) => {
  expect(await judged(file)).toEqual(['conforming'])
})

test.each([
  ['bigquery', 'fail details.step-performance'],
  ['ecn-gearbox', 'fail execute-workflow.chooses-approvers'],
  ['graphwell', 'fail analytics.bottleneck-detection'],
  ['graphy', 'fail workflow.is-sequential-default-true'],
  ['hanko', 'fail workflow.is-sequential-default-true'],
  ['irrawell', 'fail execute-workflow.identifies-created-workflow', 'fail execution.for-one-document'],
  ['ledgerfold', 'fail details.execution-metrics'],
  ['neretva', 'fail workflow.is-sequential-default-true'],
  ['newsdesk', 'fail execution.steps-in-order'],
  ['phoenixok', 'fail execution.steps-in-order'],
  ['quorient', 'fail workflow.is-sequential-default-true'],
  ['pharma-qms', 'fail execute-workflow.chooses-approvers'],
  ['sealbridge', 'fail execute-workflow.chooses-approvers'],
  ['servicedesk', 'fail auth.key-is-required'],
  ['severn', 'fail analytics.completion-times'],
  ['tisza', 'fail workflow.is-sequential-default-true'],
  ['tramita-municipal', 'fail execution.steps-in-order'],
  ['transportes', 'fail execution.steps-in-order'],
  ['werkfreigabe', 'fail workflow.is-sequential-default-true'],
  ['whimbrel', 'fail details.step-performance'],
  ['yenisei', 'fail details.execution-metrics'],
])('%s with its fault: %s', async (name, ...faults) => {
  expect(await judged(name + faulty)).toEqual(['nonconforming', ...faults])
})

test.each([
  ['axumflow', 'details.execution-metrics', 'details.step-performance'],
  ['bibliotheque', 'analytics.bottleneck-detection', 'details.optimization-recommendations'],
  ['dagflow', 'analytics.bottleneck-detection'],
  ['gridpermit', 'analytics.bottleneck-detection'],
  ['juzgado', 'execution.steps-in-order'],
  ['pharma', 'execute-workflow.chooses-approvers'],
  ['supplychain', 'execution.for-one-document'],
  ['tagus', 'details.execution-metrics'],
])('%s with its fault: %s is undecided', async (name, ...open) => {
  expect(await judged(name + faulty)).toEqual(['undecided', ...open.map((id) => `inconclusive ${id}`)])
})
