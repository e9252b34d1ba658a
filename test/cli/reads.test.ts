import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type ReadPlace, textOfReads } from '../../src/reads/reads-file.ts'
import { mustFail, mustPrint, runHere, runWith } from '../support/command.ts'

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
const owner = {
  ...nameOfDetails,
  place: '/x_own',
  uses: ['value', 'absent'],
  tests: [...tests, 'test/page.test.ts > shows the owner'],
} as const

/** Runs a command in a folder with these reads. */
const runReads = (places: readonly ReadPlace[], ...args: string[]) =>
  runWith({ 'reads.json': textOfReads({ version: 1, places }) }, args)

test('places are documented, assumed or unknown, and name the tests that read them', async () => {
  const places = [upload, nameOfDetails, owner]
  const { code, stdout } = await runReads(places, 'reads', 'reads.json')
  expect(stdout.trimEnd().split('\n')).toEqual([
    'getWorkflow 200',
    '  assumed     /name        gap.workflow-response [1]',
    '  unknown     /x_own       its value is read, absent when read [1-2]',
    'requestUpload 200',
    '  documented  /upload_url  upload.answers-upload-url [1]',
    'Read by',
    '  [1]   test/page.test.ts > shows the name',
    '  [2]   test/page.test.ts > shows the owner',
    'The front end reads 3 places: 1 documented, 1 assumed (1 open question), 1 unknown. It reads 2 places that the document never promised.',
  ])
  expect(code).toBe(0)
  const json = await runReads(places, 'reads', '.', 'reads.json', '--json')
  expect(JSON.parse(json.stdout)).toMatchObject({
    counts: { documented: 1, assumed: 1, unknown: 1 },
    places: [{ standing: 'assumed', gaps: ['gap.workflow-response'] }, { place: '/x_own' }, { place: '/upload_url' }],
  })
})

test('answers read as text are counted apart, since nothing says what of them is used', async () => {
  const asText = { ...nameOfDetails, place: '', uses: ['text'], types: [] } as const
  const places = [asText, nameOfDetails]
  const { code, stdout } = await runReads(places, 'reads', 'reads.json')
  expect(stdout).toMatch(/^ {2}assumed {5}\(body\) {2}read as text; /m)
  expect(stdout).toMatch(
    /The front end reads 1 place: .* Answers read as text: 1; what of them is used is unknown\.\n$/,
  )
  const json = await runReads(places, 'reads', 'reads.json', '--json')
  expect(JSON.parse(json.stdout)).toMatchObject({ counts: { documented: 0, assumed: 1, unknown: 0 }, asText: 1 })
  expect(code).toBe(0)
  await mustPrint(runReads([asText], 'reads', 'reads.json'), 2, 'Answers read as text: 1')
})

test('files without places, and files that are no reads, have their exit codes', async () => {
  const empty = /^The files have no place that a front end reads\. Record them again\.\n$/
  await mustPrint(runReads([], 'reads', 'reads.json'), 2, empty)
  const wrong = /^The file of reads other\.json cannot be used: \/places is not a list\. Record them again\.\n$/
  await mustFail(runWith({ 'other.json': '{"version":1}' }, ['reads', 'other.json']), 3, wrong)
  const none = /^The file of reads none\.json does not exist\. Name a file that recordReads or trackReads has written/
  await mustFail(runReads([], 'conformance', '--reads', 'none.json'), 3, none)
})

test('the reads of the example are those that its page needs', async () => {
  const file = fileURLToPath(new URL('../../examples/like-a-deployment/reads.json', import.meta.url))
  const { stdout } = await runHere(['reads', file])
  expect(stdout).toContain('test/page.test.ts > on MSW handlers > the page lists the steps of a workflow')
})
