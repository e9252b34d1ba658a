import { afterAll, beforeAll, expect, test } from 'vitest'
import { initObjects } from '../../src/node/s3/init.ts'
import type { S3Options } from '../../src/node/s3/s3-client.ts'
import { type StartOptions, startMock } from '../../src/node/start-mock.ts'
import { runHere } from '../support/command.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { scratch } from '../support/scratch.ts'
import { started } from '../support/started.ts'
import { storedBytes } from '../support/stored.ts'
import { startSwift, type TestSwift } from '../support/swift.ts'

let swift: TestSwift

beforeAll(async () => {
  swift = await startSwift()
  await swift.call('PUT', '/uploads')
})

afterAll(() => swift?.close())

function storeOf(change: object = {}): S3Options {
  const { endpoint, credentials } = swift
  return { bucket: 'uploads', endpoint, ...credentials, ...change }
}

/** Starts a mock whose files are in Swift. */
const start = (options: StartOptions = {}, key?: string) => started({ objects: storeOf(), ...options }, key)

/** Sends a file as a client does that knows the interface alone. */
function put(url: string, body: string, headers: Record<string, string> = { 'Content-Type': 'application/pdf' }) {
  return fetch(url, { method: 'PUT', headers, body })
}

const names = ['contract.pdf', "a b+c&d=e%20, (1)!*'~.pdf", 'Übergröße 名前.pdf']

test.each(nonEmpty(names))('a file named %s goes to the store, and is confirmed', async (name) => {
  const { mock, key, requested, confirm } = await start()
  const upload = await requested(name, 8)
  expect(upload.upload_url.startsWith(`${swift.endpoint}/uploads/tenants/`)).toBe(true)
  expect(upload.key).toMatch(/^tenants\//)
  expect(upload.key.endsWith(`/${name}`)).toBe(true)
  const answer = await put(upload.upload_url, '%PDF-1.7')
  expect([answer.status, await answer.text()]).toEqual([200, ''])
  const confirmed = await confirm(upload)
  expect(confirmed.status).toBe(200)
  expect(confirmed.json).toMatchObject({ file_name: name, file_size: 8 })
  expect(storedBytes(mock.tenants.ofKey(key), upload.key)).toBeUndefined()
  expect((await confirm(upload)).json).toEqual(confirmed.json)
})

test('an empty file is confirmed, and a missing one is not', async () => {
  const { requested, confirm } = await start()
  const upload = await requested('empty.pdf', 0)
  const early = await confirm(upload)
  expect([early.status, early.json.code]).toEqual([409, 'object-not-stored'])
  expect((await put(upload.upload_url, '')).status).toBe(200)
  expect((await confirm(upload)).status).toBe(200)
})

test('the store refuses another type and another length', async () => {
  const { requested, confirm } = await start()
  const upload = await requested('contract.pdf', 8)
  expect((await put(upload.upload_url, '%PDF-1.7', { 'Content-Type': 'text/plain' })).status).toBe(403)
  expect((await put(upload.upload_url, '%PDF-1.7.')).status).toBe(403)
  expect((await confirm(upload)).json.code).toBe('object-not-stored')
})

test('a file of an earlier mock with the same seed confirms nothing', async () => {
  const first = await start({ seed: 'same' })
  const before = await first.requested('contract.pdf', 8)
  await put(before.upload_url, '%PDF-1.7')
  const second = await start({ seed: 'same' }, first.key)
  const after = await second.requested('contract.pdf', 8)
  expect(after.session_id).toBe(before.session_id)
  expect((await second.confirm(after)).json.code).toBe('object-not-stored')
})

test('the suite finds a mock with a store conforming', async () => {
  const { mock, key } = await start({ approvers: 'instant' })
  const env = { COUNTERSIGN_API_KEY: key }
  const { code, stdout } = await runHere(['conformance', '--url', mock.url], env, scratch())
  expect(stdout).toMatch(/pass +storage\.signature-is-verified/)
  expect(code).toBe(0)
})

test("the mock's own storage is closed", async () => {
  const { mock } = await start()
  const answer = await put(`${mock.url}/storage/tenants/a/b.pdf`, '%PDF-1.7')
  expect(answer.status).toBe(403)
  expect(await answer.text()).toContain('Send the file to its upload_url.')
})

test.each([
  [
    'another secret',
    { secretAccessKey: 'not-the-secret' },
    /SignatureDoesNotMatch.*Check the access key and its secret\.$/,
  ],
  ['an unknown access key', { accessKeyId: 'test:nobody' }, /Check the access key/],
  ['a missing bucket', { bucket: 'missing' }, /^The bucket missing at 127\.0\.0\.1:\d+ does not exist\. Create it/],
  ['another region', { region: 'eu-central-1' }, /eu-central-1.*Check address, region and bucket\.$/],
])('a mock does not start with %s', async (_, change, message) => {
  const error = await startMock({ objects: storeOf(change) }).catch((error) => error)
  expect(error.message).toMatch(message)
  expect(JSON.stringify([error.message, error.stack])).not.toMatch(/testing|not-the-secret/)
})

test('a store without CORS rules in its S3 interface says so', async () => {
  await expect(initObjects(storeOf(), ['*'])).rejects.toThrow(/takes no CORS rules through its S3 interface/)
})
