import { afterAll, beforeAll, expect, test } from 'vitest'
import { initObjects } from '../../src/node/s3/init.ts'
import type { S3Options } from '../../src/node/s3/s3-client.ts'
import { type StartOptions, startMock } from '../../src/node/start-mock.ts'
import { runHere } from '../support/command.ts'
import { mustAnswer } from '../support/must-answer.ts'
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

function storeOf(change: Partial<S3Options> = {}): S3Options {
  const { endpoint, credentials } = swift
  return { bucket: 'uploads', endpoint, ...credentials, ...change }
}

/** Starts a mock whose files are in Swift. */
const start = (options: StartOptions = {}, key?: string) => started({ objects: storeOf(), ...options }, key)

test.each([
  ['contract.pdf', '%PDF-1.7'],
  ["a b+c&d=e%20, (1)!*'~.pdf", '%PDF-1.7'],
  ['Übergröße 名前.pdf', '%PDF-1.7'],
  ['empty.pdf', ''],
])('the file %s is confirmed once the store has it', async (name, content) => {
  const { mock, key, requested, confirm, store } = await start()
  const upload = await requested(name, content.length)
  expect(upload.upload_url.startsWith(`${swift.endpoint}/uploads/tenants/`)).toBe(true)
  expect(upload.key).toMatch(/^tenants\//)
  expect(upload.key.endsWith(`/${name}`)).toBe(true)
  await mustAnswer(confirm(upload), 409, 'object-not-stored')
  // The store verifies the signed length and type.
  await mustAnswer(store(upload, `${content}.`), 403)
  await mustAnswer(store(upload, content, { 'Content-Type': 'text/plain' }), 403)
  expect((await mustAnswer(store(upload, content), 200)).text).toBe('')
  const { json } = await mustAnswer(confirm(upload), 200)
  expect(json).toMatchObject({ file_name: name, file_size: content.length })
  expect(storedBytes(mock.tenants.ofKey(key), upload.key)).toBeUndefined()
  expect((await confirm(upload)).json).toEqual(json)
})

test('a file of an earlier mock with the same seed confirms nothing', async () => {
  const first = await start({ seed: 'same' })
  const before = await first.requested('contract.pdf', 8)
  await mustAnswer(first.store(before, '%PDF-1.7'), 200)
  const second = await start({ seed: 'same' }, first.key)
  const after = await second.requested('contract.pdf', 8)
  expect(after.session_id).toBe(before.session_id)
  await mustAnswer(second.confirm(after), 409, 'object-not-stored')
})

test('the suite finds a mock with a store conforming', async () => {
  const { mock, key } = await start({ approvers: 'instant' })
  const env = { COUNTERSIGN_API_KEY: key }
  const { code, stdout } = await runHere(['conformance', '--url', mock.url], env, scratch())
  expect(stdout).toMatch(/pass +storage\.signature-is-verified/)
  expect(code).toBe(0)
})

test("the mock's own storage is closed", async () => {
  const { mock, put } = await start()
  const { text } = await mustAnswer(put(`${mock.url}/storage/tenants/a/b.pdf`, '%PDF-1.7'), 403)
  expect(text).toContain('Send the file to its upload_url.')
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
