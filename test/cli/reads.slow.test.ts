import { expect, test } from 'vitest'
import { runningReference } from '../../conformance/selftest/reference.ts'
import { type ReadPlace, textOfReads } from '../../src/reads/reads-file.ts'
import { recordedHar } from '../conformance/replay/recording.ts'
import { mustPrint, runHere, runWith } from '../support/command.ts'
import { addressOf } from '../support/serve.ts'
import { freshKey } from '../support/service.ts'

const reader = 'test/page.test.ts > shows the name'
const nameOfDetails = {
  ...({ operation: 'getWorkflow', status: 200, place: '/name', uses: ['value'], types: ['string'] } as const),
  tests: [reader],
}
const upload = { ...nameOfDetails, operation: 'requestUpload', place: '/upload_url' } as const
const message = { ...nameOfDetails, place: '/bottlenecks/*/message' } as const

/** Runs a command in a folder with reads and a recorded session, with a key for each side. */
async function runReading(places: readonly ReadPlace[], ...args: string[]) {
  const files = { 'reads.json': textOfReads({ version: 1, places }), 'session.har': await recordedHar() }
  const keys = { COUNTERSIGN_API_KEY: freshKey(), COUNTERSIGN_API_KEY_B: freshKey() }
  return runWith(files, [...args, '--reads', 'reads.json', '--settle', '0s'], keys)
}

/** Serves a deployment that calls the name of a workflow otherwise, and creates with 200. */
function renaming(): Promise<string> {
  const sound = runningReference()
  return addressOf(async (request) => {
    const response = await sound(request)
    if (response.status === 201) return new Response(response.body, { headers: response.headers })
    if (request.method !== 'GET' || response.status !== 200) return response
    const { name, ...others } = await response.json()
    return Response.json({ ...others, title: name })
  })
}

test('a deployment that lacks a place fails the run, and not the document', async () => {
  const places = [upload, nameOfDetails, message]
  const args = ['conformance', '--url', await renaming(), '--report', 'json,junit,html,ctrf']
  const { code, stdout, read, folder } = await runReading(places, ...args)
  expect(stdout).toMatch(/ is conforming\. /)
  const lines = [
    'What the front end reads: 1 given, 1 missing, 1 undecided.',
    `  missing    getWorkflow 200 /name: No successful answer of getWorkflow has /name. The suite found workflow.name at /title. Read by ${reader}.`,
    `  undecided  getWorkflow 200 /bottlenecks/*/message: The lists or objects that would have it were empty. Read by ${reader}.`,
    'The run fails, because the front end reads 1 place that this deployment does not give. That is a need of the front end, and no fault against the document.',
  ]
  expect(stdout.split('\n').filter((line) => lines.includes(line))).toEqual(lines)
  expect(code).toBe(1)
  const report = (name: string) => read('conformance-report', name)
  expect(JSON.parse(report('report.json'))).toMatchObject({ verdict: 'conforming', reads: { verdict: 'unmet' } })
  expect(report('junit.xml')).toContain(
    '<testcase name="getWorkflow 200 /name" classname="countersign.reads" time="0.000">\n      <failure',
  )
  expect(report('report.html')).toContain('What the front end reads')
  expect(JSON.parse(report('ctrf-report.json')).results.summary).toMatchObject({ failed: 1 })
  await mustPrint(runHere(['judge', 'conformance-report'], {}, folder), 1, lines[1] ?? '')
})

test.each([
  ['some places are given', 0, '2 given, 0 missing, 1 undecided', [upload, nameOfDetails, message]],
  ['nothing is decided', 2, 'No answer could show what the front end reads.', [message]],
])('the exit code says that %s', async (_, wanted, line, places) => {
  await mustPrint(runReading(places, 'conformance'), wanted, line)
})

test('differences at places that are read come first, and are marked', async () => {
  const sides = ['compare', 'reference', await renaming(), '--session', 'session.har']
  const difference =
    /^read {7}read workflow 1 .* and \d+ more calls?: Only A: \/name \(string\). Only B: \/title \(string\). The front end reads \/name \(test\/page.test.ts > shows the name\)\.$/m
  const { stdout } = await mustPrint(runReading([nameOfDetails], ...sides), 1, difference)
  const words = stdout.split('\n').map((line) => line.split(' ')[0])
  expect(words.lastIndexOf('read')).toBeLessThan(words.findIndex((word) => /^(meaning|shape)$/.test(word ?? '')))
})
