import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { mustAnswer } from '../support/must-answer.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { service } from '../support/service.ts'
import { storedBytes } from '../support/stored.ts'

/** The bytes of the text that catalogues of CRCs use as their example. */
const bytes = new TextEncoder().encode('123456789')
const inHex = (hex: string) => Buffer.from(hex, 'hex').toString('base64')
const digest = (name: string) => createHash(name).update(bytes).digest('base64')

const right: Readonly<Record<string, string>> = {
  'Content-MD5': digest('md5'),
  'x-amz-checksum-crc32': inHex('cbf43926'),
  'x-amz-checksum-crc32c': inHex('e3069283'),
  'x-amz-checksum-crc64nvme': inHex('ae8b14860a799888'),
  'x-amz-checksum-md5': digest('md5'),
  'x-amz-checksum-sha1': digest('sha1'),
  'x-amz-checksum-sha256': digest('sha256'),
  'x-amz-checksum-sha512': digest('sha512'),
  'x-amz-content-sha256': createHash('sha256').update(bytes).digest('hex'),
}

/** Requests an upload. Returns functions that put the bytes with additional headers, at once or one by one. */
async function upload() {
  const { requested, store, world, send } = service()
  const asked = await requested('digits.txt', bytes.byteLength, 'text/plain')
  return {
    put: (headers: Record<string, string> = {}) => store(asked, bytes, headers),
    putInPieces(more: Record<string, string>) {
      const body = new ReadableStream({
        start(controller) {
          for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
          controller.close()
        },
      })
      const headers = { ...asked.headers, 'Content-Length': `${bytes.byteLength}`, ...more }
      return send(new Request(asked.upload_url, { method: 'PUT', headers, body, duplex: 'half' } as RequestInit))
    },
    stored: () => storedBytes(world, asked.key),
  }
}

test.each(nonEmpty(Object.entries(right)))('the right %s is accepted, whole and in pieces', async (header, value) => {
  const { put, putInPieces, stored } = await upload()
  for (const send of [put, putInPieces]) await mustAnswer(send({ [header]: value }), 200)
  expect(stored()).toEqual(bytes)
})

test.each(nonEmpty(Object.keys(right)))('a %s of other bytes is refused, and nothing is stored', async (header) => {
  const { put, stored } = await upload()
  const value = right[header] ?? ''
  // A different first character changes the bytes, in hexadecimal and in base64.
  const wrong = `${value.startsWith('0') ? '1' : '0'}${value.slice(1)}`
  await mustAnswer(put({ [header]: wrong }), 400, value.length === 64 ? 'XAmzContentSHA256Mismatch' : 'BadDigest')
  expect(stored()).toBeUndefined()
})

const malformations: Record<string, (value: string) => string> = {
  'that is empty': () => '',
  'that is no base64': () => 'no base64!',
  'that lacks a character': (value) => value.slice(1),
  'that lacks 4 characters': (value) => value.slice(4),
  'with 4 characters more': (value) => `${value}AAAA`,
  'that is given twice': (value) => `${value}, ${value}`,
}
const malformed = Object.keys(right).flatMap((header) => Object.keys(malformations).map((how) => [header, how]))

test.each(nonEmpty(malformed))('a %s %s is refused as malformed', async (header = '', how = '') => {
  const { put, stored } = await upload()
  const value = malformations[how]?.(right[header] ?? '') ?? ''
  await mustAnswer(put({ [header]: value }), 400, header === 'Content-MD5' ? 'InvalidDigest' : 'InvalidRequest')
  expect(stored()).toBeUndefined()
})

test('a refused Content-MD5 shows both digests, as S3 does', async () => {
  const { text } = await (await upload()).put({ 'Content-MD5': createHash('md5').digest('base64') })
  expect(text).toContain(`<CalculatedDigest>${right['Content-MD5']}</CalculatedDigest>`)
  expect(text).toContain('<ExpectedDigest>1B2M2Y8AsgTpgAmY7PhCfg==</ExpectedDigest>')
})

const crc32 = { 'x-amz-checksum-crc32': right['x-amz-checksum-crc32'] ?? '' }

test.each<[string, Record<string, string>, number, string]>([
  ['two checksums', { ...crc32, 'x-amz-checksum-sha1': right['x-amz-checksum-sha1'] ?? '' }, 400, 'InvalidRequest'],
  ['an algorithm without a checksum', { 'x-amz-sdk-checksum-algorithm': 'CRC32' }, 400, 'InvalidRequest'],
  ['another algorithm than its own', { ...crc32, 'x-amz-sdk-checksum-algorithm': 'SHA1' }, 400, 'InvalidRequest'],
  ['an unknown algorithm', { ...crc32, 'x-amz-sdk-checksum-algorithm': 'CRC16' }, 400, 'InvalidRequest'],
  ['a checksum that the mock cannot verify', { 'x-amz-checksum-xxhash64': 'AAAAAAAAAAA=' }, 501, 'NotImplemented'],
  ['a checksum behind the body', { 'x-amz-trailer': 'x-amz-checksum-crc32' }, 501, 'NotImplemented'],
  ['a signed stream', { 'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER' }, 400, 'InvalidRequest'],
  ['a part of a file', { 'Content-Range': 'bytes 0-8/100' }, 501, 'NotImplemented'],
  ['a compressed body', { 'Content-Encoding': 'gzip' }, 403, 'AccessDenied'],
  ['another ETag than *', { 'If-None-Match': '"1"' }, 501, 'NotImplemented'],
  ['both conditions', { 'If-None-Match': '*', 'If-Match': '"1"' }, 501, 'NotImplemented'],
  ['If-Match before anything is stored', { 'If-Match': '"1"' }, 404, 'NoSuchKey'],
])('a PUT with %s is refused', async (_, headers, status, code) => {
  const { put, stored } = await upload()
  await mustAnswer(put(headers), status, code)
  expect(stored()).toBeUndefined()
})

test.each<[string, Record<string, string>]>([
  ['the algorithm of its checksum', { ...crc32, 'x-amz-sdk-checksum-algorithm': 'CRC32' }],
  ['two kinds of digest that are both right', { ...crc32, 'Content-MD5': right['Content-MD5'] ?? '' }],
  ['a body that is said to be unsigned', { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }],
  ['a Content-Encoding that changes nothing', { 'Content-Encoding': 'identity' }],
])('a PUT with %s is accepted', async (_, headers) => {
  expect((await (await upload()).put(headers)).status).toBe(200)
})

test('If-None-Match: * and If-Match store a file only if there is none or that one', async () => {
  const { put } = await upload()
  const once = { 'If-None-Match': '*' }
  const tag = (await mustAnswer(put(once), 200)).headers.get('ETag') ?? ''
  const { text } = await mustAnswer(put(once), 412, 'PreconditionFailed')
  expect(text).toContain('<Condition>If-None-Match</Condition>')
  for (const known of [tag, tag.replaceAll('"', '')]) await mustAnswer(put({ 'If-Match': known }), 200)
  await mustAnswer(put({ 'If-Match': '"0"' }), 412, 'PreconditionFailed')
  await mustAnswer(put(), 200)
})

test('of many PUTs at once with If-None-Match: *, exactly one stores its file', async () => {
  const { putInPieces } = await upload()
  const answers = await Promise.all(Array.from({ length: 10 }, () => putInPieces({ 'If-None-Match': '*' })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)])
})

test('a SHA-256 is computed and confirmed only if the PUT announces one', async () => {
  const { requested, store, confirm } = service()
  const sha256 = right['x-amz-content-sha256'] ?? ''
  const announced = { 'x-amz-checksum-sha256': digest('sha256') }
  for (const [headers, expected] of [
    [announced, sha256],
    [{ 'x-amz-content-sha256': sha256 }, sha256],
    [{ 'Content-MD5': digest('md5') }, undefined],
    [{}, undefined],
  ] as const) {
    const asked = await requested('digits.txt', bytes.byteLength, 'text/plain')
    // A later PUT without a digest replaces the file, and its digest.
    if (expected === undefined) await store(asked, bytes, announced)
    const stored = await store(asked, bytes, headers)
    expect(stored.headers.get('ETag')).toBe('"cbf43926"')
    const { json } = await confirm(asked, 'digits.txt')
    expect([json.crc32, json.sha256]).toEqual(['cbf43926', expected])
  }
})

test('a page on another origin may send every header that storage understands', async () => {
  const { send } = service()
  const names = [...Object.keys(right), 'If-Match', 'If-None-Match', 'x-amz-sdk-checksum-algorithm'].join(',')
  const headers = { 'Access-Control-Request-Method': 'PUT', 'Access-Control-Request-Headers': names }
  const answer = await send(new Request('http://mock.test/storage/tenants/x', { method: 'OPTIONS', headers }))
  expect(answer.headers.get('Access-Control-Allow-Headers')).toBe(names)
})
