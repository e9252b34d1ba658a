import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reportKinds } from '../../../conformance/report/kinds.ts'
import { prepareFolder, writeReports } from '../../../conformance/report/write.ts'
import { checkResult, runResult } from '../../support/run-result.ts'
import { scratch } from '../../support/scratch.ts'

const result = runResult([checkResult('workflow.name')])

test('the reports have fixed names, and a missing folder is created', async () => {
  const folder = join(scratch(), 'a/b')
  const paths = await writeReports(reportKinds, folder, result)
  expect(paths).toEqual(
    ['report.json', 'junit.xml', 'report.html', 'ctrf-report.json'].map((file) => join(folder, file)),
  )
  expect(readdirSync(folder).sort()).toEqual([
    'ctrf-report.json',
    'junit.xml',
    'report.css',
    'report.html',
    'report.json',
  ])
  expect(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')).verdict).toBe('conforming')
})

test('only the chosen reports are written, and old ones are replaced', async () => {
  const folder = scratch()
  writeFileSync(join(folder, 'junit.xml'), 'old')
  await writeReports(['junit'], folder, result)
  expect(readdirSync(folder)).toEqual(['junit.xml'])
  expect(readFileSync(join(folder, 'junit.xml'), 'utf8')).toMatch(/^<\?xml .*<\/testsuites>\n$/s)
})

test('a report that cannot be written leaves no partial file', async () => {
  const folder = scratch()
  mkdirSync(join(folder, 'report.json'))
  await expect(writeReports(['json'], folder, result)).rejects.toThrow(
    /^The report cannot be written: .*\. Choose another folder\.$/,
  )
  expect(readdirSync(folder)).toEqual(['report.json'])
})

test('a folder is tried before a run, and nothing is left behind', async () => {
  const parent = scratch()
  await prepareFolder(join(parent, 'a/b'))
  expect(readdirSync(parent)).toEqual([])
  writeFileSync(join(parent, 'taken'), '')
  await prepareFolder(parent)
  expect(readdirSync(parent)).toEqual(['taken'])
  await expect(prepareFolder(join(parent, 'taken'))).rejects.toThrow(
    /^The report cannot be written: .*\. Choose another folder\.$/,
  )
})
