import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startMock } from '../../src/node/start-mock.ts'
import { run, runHere } from '../support/command.ts'
import { scratch } from '../support/scratch.ts'
import { freshKey } from '../support/service.ts'

test('the built-in reference conforms, and the report says so', async () => {
  const folder = scratch()
  const { code, stderr } = await run(['conformance'], {}, folder)
  expect([code, stderr]).toEqual([0, ''])
  const report = JSON.parse(readFileSync(join(folder, 'conformance-report/report.json'), 'utf8'))
  expect(report).toMatchObject({ schemaVersion: 2, verdict: 'conforming', counts: { fail: 0 } })
  expect(report.checks.length).toBe(report.counts.pass + report.counts.accepted)
  expect(report.counts.pass).toBeGreaterThan(60)
  expect(Object.keys(report.checks[0]).slice(0, 7)).toEqual([
    'id',
    'requirement',
    'section',
    'provenance',
    'level',
    'verdict',
    'message',
  ])
  expect(Object.keys(report.gaps[0])).toEqual(['id', 'observed', 'sameAsOurs'])
  expect(report.leftBehind).toContainEqual(expect.stringMatching(/^workflow conformance-/))
})

test('a deployment conforms, and no output contains its key', async () => {
  const server = await startMock({ port: 0 })
  const folder = scratch()
  const key = `${freshKey()}_canary`
  const args = ['conformance', '--url', `${server.url}/`, '--report', 'json,junit,html']
  const { code, stdout } = await runHere(args, { COUNTERSIGN_API_KEY: key }, folder)
  await server.close()
  expect(code).toBe(0)
  const reports = ['report.json', 'junit.xml', 'report.html'].map((file) => {
    return readFileSync(join(folder, 'conformance-report', file), 'utf8')
  })
  for (const text of [stdout, ...reports]) {
    expect(text).not.toContain(key)
    expect(text).not.toMatch(/X-Amz-Signature=[0-9a-f]/)
  }
})
