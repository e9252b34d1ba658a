import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { operationsOf } from '../../scripts/contract.ts'
import { samplesOf } from '../../scripts/docs/samples.ts'
import { contract } from '../support/contract.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { folderOf } from '../support/scratch.ts'
import { freshKey } from '../support/service.ts'
import { sharedMock } from '../support/started.ts'

const samples = operationsOf(contract).map((operation) => {
  const [curl, client] = samplesOf(contract, operation)
  return { ...operation, curl: curl?.source ?? '', client: client?.source ?? '' }
})

const server = await sharedMock()

test('no sample has a key in it', () => {
  for (const { curl, client, definition } of nonEmpty(samples)) {
    const needsKey = definition.security === undefined
    expect(curl.includes('Authorization')).toBe(needsKey)
    expect(/Authorization: (?!\$COUNTERSIGN_API_KEY")/.test(curl)).toBe(false)
    expect(client.includes('apiKey: COUNTERSIGN_API_KEY')).toBe(needsKey)
  }
})

/** The statuses of the samples on a fresh mock. Only two of the calls need no other call before them. */
const statuses: Record<string, number> = {
  createWorkflow: 201,
  getWorkflow: 404,
  executeWorkflow: 404,
  requestUpload: 200,
  confirmUpload: 404,
  putObject: 403,
}

test.each(nonEmpty(samples))('the curl command of $operationId reaches it', async ({ operationId, curl }) => {
  const command = curl.replace('http://127.0.0.1:4010', server.url)
  const env = { ...process.env, COUNTERSIGN_URL: server.url, COUNTERSIGN_API_KEY: freshKey() }
  const { stdout } = await promisify(execFile)('sh', ['-euc', command], {
    env,
    cwd: folderOf({ 'contract.pdf': 'Hello' }),
  })
  expect(Number(stdout.match(/^HTTP\/1\.1 (\d+)/)?.[1])).toBe(statuses[operationId])
  expect(stdout).not.toContain('unknown-path')
})

test('the reference page has every sample', () => {
  const page = readFileSync(new URL('../../dist/docs/index.html', import.meta.url), 'utf8')
  for (const { curl, client } of nonEmpty(samples)) {
    for (const text of [curl, client]) {
      const inPage = JSON.stringify(text).replaceAll('<', '\\u003c')
      expect(page.includes(inPage), text).toBe(true)
    }
  }
})
