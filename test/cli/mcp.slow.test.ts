import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { start } from '../support/command.ts'
import { connect, nextCall } from '../support/mcp.ts'
import { scratch } from '../support/scratch.ts'
import { freshKey } from '../support/service.ts'

async function session(env: Record<string, string> = {}) {
  const { client, said } = await connect(env)
  onTestFinished(() => client.close())
  return { client, said, call: (name: string, args: object = {}) => nextCall(client, name, args) }
}

test('an agent checks a deployment, reads the report, and sees no key', async () => {
  const secret = 'test_Zq81kPw0RmT5'
  const { client, said, call } = await session({ COUNTERSIGN_API_KEY: secret })
  const { url } = (await call('start_mock')).json
  const folder = join(scratch(), 'report')
  const progress: number[] = []
  const { content } = await client.callTool(
    { name: 'run_conformance', arguments: { url, report_dir: folder } },
    { onprogress: ({ progress: sent }) => progress.push(sent) },
  )
  const [first] = content
  const summary = JSON.parse(first?.type === 'text' ? first.text : '')
  expect(summary).toMatchObject({ url, verdict: 'conforming', failed: [] })
  expect(progress.length).toBeGreaterThan(50)
  expect(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')).verdict).toBe('conforming')
  expect(existsSync(join(folder, 'report.html'))).toBe(true)
  const { checks } = (await call('read_report')).json
  expect(checks['workflow.name']).toBe('pass')
  const check = (await call('read_report', { check: 'auth.raw-key' })).json
  expect(check).toMatchObject({ verdict: 'pass', requirement: { provenance: 'documented' } })
  expect(check.exchanges.length).toBeGreaterThan(0)
  expect(said.join('\n')).not.toContain(secret.slice(5))
})

test('a broken deployment fails, and the report names the check', async () => {
  const { call } = await session({ COUNTERSIGN_API_KEY: freshKey() })
  const { url } = (await call('start_mock', { approvers: 'instant' })).json
  const settings = { faults: [{ probability: 1, status: 500, operation_id: 'requestUpload' }] }
  const headers = { 'Content-Type': 'application/json' }
  await fetch(`${url}/__admin/settings`, { method: 'PUT', headers, body: JSON.stringify(settings) })
  const { json } = await call('run_conformance', { url, only: ['request-upload.method-and-path'] })
  expect(json.verdict).not.toBe('conforming')
  expect([...json.failed, ...json.undecided].map(({ check }: { check: string }) => check)).toEqual([
    'request-upload.method-and-path',
  ])
  expect(json.next[0].text).toMatch(/^(Fix|Find out)/)
})

test('the built-in reference conforms', async () => {
  const { call } = await session()
  expect((await call('run_conformance')).json).toMatchObject({ verdict: 'conforming', failed: [], undecided: [] })
})

test('the server ends with its input, and takes the mock with it', async () => {
  const { client: other } = await connect({})
  const { url: gone } = (await nextCall(other, 'start_mock', {})).json
  expect((await fetch(`${gone}/docs/`)).status).toBe(200)
  await other.close()
  await expect(fetch(gone)).rejects.toThrow()
  const { child, ended } = start(['mcp'])
  child.stdin.end()
  expect(await ended).toEqual({ code: 0, stdout: '', stderr: '' })
})
