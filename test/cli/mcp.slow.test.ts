import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { start } from '../support/command.ts'
import { connect, nextCall } from '../support/mcp.ts'
import { scratch } from '../support/scratch.ts'
import { clientOf } from '../support/service.ts'

async function session(env: Record<string, string> = {}) {
  const { client, said } = await connect(env)
  onTestFinished(() => client.close())
  return { client, said, call: (name: string, args: object = {}) => nextCall(client, name, args) }
}

test('an agent checks a deployment, reads the report, and sees no key', async () => {
  const secret = 'test_Zq81kPw0RmT5'
  const { client, said, call } = await session({ COUNTERSIGN_API_KEY: secret })
  const { url } = (await call('start_mock', { approvers: 'manual' })).json
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
  expect((await call('read_report')).json.checks['workflow.name']).toBe('pass')
  const check = (await call('read_report', { check: 'auth.raw-key' })).json
  expect(check).toMatchObject({ verdict: 'pass', requirement: { provenance: 'documented' } })
  expect(check.exchanges.length).toBeGreaterThan(0)

  // The same connection checks it again when it is broken.
  const only = 'request-upload.method-and-path'
  const fault = { probability: 1, status: 500, operation_id: 'requestUpload' }
  await clientOf({ url }, secret).call('PUT', '/__admin/settings', { faults: [fault] })
  const { verdict, failed, undecided, next } = (await call('run_conformance', { url, only: [only] })).json
  expect(verdict).not.toBe('conforming')
  expect([...failed, ...undecided]).toMatchObject([{ check: only }])
  expect(next[0].text).toMatch(/^(Fix|Find out)/)
  expect(said.join('\n')).not.toContain(secret.slice(5))
})

test('without an address, the built-in reference is checked', async () => {
  const { call } = await session()
  const only = ['workflow.name']
  expect((await call('run_conformance', { only })).json).toMatchObject({ url: 'http://reference.invalid', failed: [] })
})

test('the server ends with its input, and takes the mock with it', async () => {
  const { client, call } = await session()
  const { url } = (await call('start_mock')).json
  expect((await fetch(`${url}/docs/`)).status).toBe(200)
  await client.close()
  await expect(fetch(url)).rejects.toThrow()
  const { child, ended } = start(['mcp'])
  child.stdin.end()
  expect(await ended).toEqual({ code: 0, stdout: '', stderr: '' })
})
