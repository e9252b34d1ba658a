import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runningReference } from '../../conformance/selftest/reference.ts'
import type { ServerFunction } from '../../conformance/selftest/wrapper.ts'
import { type ReadPlace, textOfReads } from '../../src/reads/reads-file.ts'
import { runHere } from '../support/command.ts'
import { scratch } from '../support/scratch.ts'
import { serve } from '../support/serve.ts'
import { freshKey } from '../support/service.ts'

const tests = ['test/page.test.ts > shows the name']
const nameOfDetails = {
  operation: 'getWorkflow',
  status: 200,
  place: '/name',
  uses: ['value'],
  types: ['string'],
  tests,
} as const
const upload = { ...nameOfDetails, operation: 'requestUpload', place: '/upload_url' } as const
const message = { ...nameOfDetails, place: '/bottlenecks/*/message' } as const

/** Writes reads into a folder of its own. */
function readsFile(places: readonly ReadPlace[]): string {
  const folder = scratch()
  writeFileSync(join(folder, 'reads.json'), textOfReads({ version: 1, places }))
  return folder
}

/** Serves a deployment that calls the name of a workflow otherwise, and creates with 200. */
async function renaming(): Promise<string> {
  const sound = runningReference()
  const fetch: ServerFunction = async (request) => {
    const response = await sound(request)
    if (response.status === 201) return new Response(response.body, { headers: response.headers })
    if (request.method !== 'GET' || response.status !== 200) return response
    const { name, ...others } = await response.json()
    return Response.json({ ...others, title: name })
  }
  const { url, close } = await serve(fetch)
  onTestFinished(close)
  return url
}

test('a deployment that lacks a place fails the run, and not the document', async () => {
  const folder = readsFile([upload, nameOfDetails, message])
  const args = [
    'conformance',
    '--url',
    await renaming(),
    '--reads',
    'reads.json',
    '--settle',
    '0s',
    '--report',
    'json,junit,html,ctrf',
  ]
  const { code, stdout } = await runHere(args, { COUNTERSIGN_API_KEY: freshKey() }, folder)
  expect(stdout).toMatch(/ is conforming\. /)
  const lines = [
    'What the front end reads: 1 given, 1 missing, 1 undecided.',
    '  missing    getWorkflow 200 /name: No successful answer of getWorkflow has /name. The suite found workflow.name at /title. Read by test/page.test.ts > shows the name.',
    '  undecided  getWorkflow 200 /bottlenecks/*/message: The lists or objects that would have it were empty. Read by test/page.test.ts > shows the name.',
    'The run fails, because the front end reads 1 place that this deployment does not give. That is a need of the front end, and no fault against the document.',
  ]
  expect(stdout.split('\n').filter((line) => lines.includes(line))).toEqual(lines)
  expect(code).toBe(1)
  const report = (name: string) => readFileSync(join(folder, 'conformance-report', name), 'utf8')
  expect(JSON.parse(report('report.json'))).toMatchObject({ verdict: 'conforming', reads: { verdict: 'unmet' } })
  expect(report('junit.xml')).toContain(
    '<testcase name="getWorkflow 200 /name" classname="countersign.reads" time="0.000">\n      <failure',
  )
  expect(report('report.html')).toContain('What the front end reads')
  expect(JSON.parse(report('ctrf-report.json')).results.summary).toMatchObject({ failed: 1 })
  const again = await runHere(['judge', 'conformance-report'], {}, folder)
  expect([again.code, again.stdout]).toEqual([1, expect.stringContaining(lines[1] ?? '')])
})

test('what a deployment gives leaves the exit code as it is, and nothing decided is 2', async () => {
  const given = await runHere(['conformance', '--reads', 'reads.json'], {}, readsFile([upload, nameOfDetails, message]))
  expect([given.code, given.stdout]).toEqual([0, expect.stringContaining('2 given, 0 missing, 1 undecided')])
  const open = await runHere(['conformance', '--reads', 'reads.json'], {}, readsFile([message]))
  expect([open.code, open.stdout]).toEqual([
    2,
    expect.stringContaining('No answer could show what the front end reads.'),
  ])
})

test('differences at places that are read come first, and are marked', async () => {
  const folder = readsFile([nameOfDetails])
  const args = ['compare', 'reference', await renaming(), '--reads', 'reads.json', '--settle', '0s']
  const env = { COUNTERSIGN_API_KEY: freshKey(), COUNTERSIGN_API_KEY_B: freshKey() }
  const { code, stdout } = await runHere(args, env, folder)
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /^read {7}read workflow 1 .* and \d+ more calls: Only A: \/name \(string\). Only B: \/title \(string\). The front end reads \/name \(test\/page.test.ts > shows the name\)\.$/m,
  )
  const words = stdout.split('\n').map((line) => line.split(' ')[0])
  expect(words.lastIndexOf('read')).toBeLessThan(words.indexOf('meaning'))
})
