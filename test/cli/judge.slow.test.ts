import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { requirementIds } from '../../conformance/catalogue/catalogue.ts'
import { jsonReport, jsonText } from '../../conformance/report/json.ts'
import { combine } from '../../conformance/selftest/combine.ts'
import { reference } from '../../conformance/selftest/reference.ts'
import { runOn } from '../../conformance/selftest/run-on.ts'
import { mustPrint, run, runHere, runWith } from '../support/command.ts'
import { scratch } from '../support/scratch.ts'

const requireVerified = requirementIds
const texts = {
  conforming: jsonText(jsonReport(await runOn(reference()))),
  nonconforming: jsonText(jsonReport(await runOn(combine({ mutant: 'never-readable' })))),
  undecided: jsonText(jsonReport(await runOn(reference(), { requireVerified }))),
}

/** Judges a report. */
const judge = (report: string | object, ...flags: string[]) =>
  runWith({ 'report.json': report }, ['judge', 'report.json', ...flags])

/** Writes the reports, each into a folder that is named after its verdict. Returns the parent folder. */
function reports(): string {
  const folder = scratch()
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'report.json'), text)
  }
  return folder
}

/** Returns the lines of the checks: the verdict, the id and the message. */
const checksIn = (stdout: string) => stdout.match(/^(pass|accepted|fail|warn|inconclusive|blocked|not-).*$/gm)

test('a report is judged as its run with --require-verified, as file or folder', async () => {
  const folder = scratch()
  const first = await runHere(['conformance', '--require-verified', 'all'], {}, folder)
  const file = await runHere(['judge', 'conformance-report/report.json'], {}, folder)
  const inFolder = await runHere(['judge', 'conformance-report'], {}, folder)
  expect([first.code, file.code, file.stderr]).toEqual([2, 2, ''])
  expect(first.stdout).toMatch(/ is undecided\. \d+ checks in .*: 2 accepted but not shown, \d+ verified\./)
  expect(checksIn(file.stdout)).toEqual(checksIn(first.stdout))
  expect(file).toEqual(inFolder)
})

test.each([
  [['conforming', 'conforming'], 0],
  [['conforming', 'undecided'], 2],
  [['undecided', 'nonconforming', 'conforming'], 1],
  [['nonconforming/report.json', 'undecided'], 1],
])('the worst of %j is exit code %d', async (names, worst) => {
  const { code, stdout } = await runHere(['judge', ...names], {}, reports())
  expect(code).toBe(worst)
  expect(stdout.match(/ is (conforming|undecided|nonconforming)\. /g)).toEqual(
    names.map((name) => ` is ${name.replace('/report.json', '')}. `),
  )
})

test('judging sends no request and changes no file', async () => {
  const folder = reports()
  // Ends the process as soon as it makes a connection.
  const preload = join(folder, 'offline.cjs')
  writeFileSync(preload, "require('node:net').Socket.prototype.connect = () => process.exit(99)\n")
  const { code } = await run(['judge', 'conforming'], { NODE_OPTIONS: `--require ${preload}` }, folder)
  expect(code).toBe(0)
  expect(readFileSync(join(folder, 'conforming', 'report.json'), 'utf8')).toBe(texts.conforming)
})

test('--verbose prints the reason for each finding', async () => {
  const [brief, verbose] = [await judge(texts.conforming), await judge(texts.conforming, '--verbose')]
  const finding = /^Found workflow\.name at .*\/name \(proven: .+\)\.$/m
  expect(verbose.stdout).toMatch(finding)
  expect(brief.stdout).not.toMatch(finding)
  expect(checksIn(verbose.stdout)).toEqual(checksIn(brief.stdout))
})

test('a verdict that differs from the report is explained, and no other one', async () => {
  const said = 'The report itself says conforming. A baseline or another version of the suite causes the difference.\n'
  await mustPrint(judge({ ...JSON.parse(texts.nonconforming), verdict: 'conforming' }), 1, said)
  expect((await judge(texts.nonconforming)).stdout).not.toContain('The report itself says')
})

test('a check with a cut answer is undecided', async () => {
  const report = JSON.parse(texts.conforming)
  for (const exchange of report.exchanges) {
    if (exchange.label?.step === 'request upload 1') Object.assign(exchange, { responseBody: '{"upload', isCut: true })
  }
  const undecided = /^inconclusive +upload\.answers-session-id .*its body is too long for the report/m
  const { stdout } = await mustPrint(judge(report), 2, undecided)
  expect(stdout).not.toMatch(/^(fail|harness-error)/m)
})

const damaged = texts.conforming.replace('"tries": 1', '"tries": "one"')

test.each([
  ['of another version', '{"schemaVersion": 9}', 'It is a report of version 9, but this Countersign reads version 2.'],
  ['with a damaged member', damaged, 'It is damaged: settings.tries is not an integer.'],
])('a file %s is bad usage, in one line', async (_, text, why) => {
  const { code, stdout, stderr } = await judge(text)
  const line = expect.stringContaining(`report.json cannot be judged. ${why}`)
  expect([code, stdout, stderr.trim().split('\n')]).toEqual([3, '', [line]])
})

test('an unreadable report does not keep the others from being judged', async () => {
  const { code, stdout, stderr } = await runHere(['judge', 'missing.json', 'undecided', 'conforming'], {}, reports())
  expect(code).toBe(3)
  expect(stderr).toMatch(/^The report missing\.json does not exist\. .*\n$/)
  expect(stdout.match(/ is (conforming|undecided)\. /g)).toEqual([' is undecided. ', ' is conforming. '])
})

test("judging again keeps the run's own notes", async () => {
  const { stdout } = await judge({ ...JSON.parse(texts.conforming), notes: ['Said before.'] })
  expect(stdout).toContain('\nNote: Said before.\n')
})

test('a report whose profile has a wrong locator ends with 3 like its run', async () => {
  const files = { 'profile.json': { locators: { success_rate: '/name' } } }
  const { folder, ...first } = await runWith(files, ['conformance', '--profile', 'profile.json'])
  const again = await runHere(['judge', 'conformance-report'], {}, folder)
  expect([first.code, again.code]).toEqual([3, 3])
  expect(again.stderr).toMatch(
    /^The profile that \S+ was recorded with is wrong: locators\.success_rate is \/name, which holds /,
  )
})
