import { sign } from 'aws4'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createS3Client, type S3Options } from '../../src/node/s3/s3-client.ts'
import { openS3 } from '../../src/node/s3/s3-store.ts'

const credentials = { accessKeyId: 'id', secretAccessKey: 'the-secret', sessionToken: 'a+token/=' }
const presigned = /&?X-Amz-(Signature|Security-Token|Credential|Algorithm|SignedHeaders)=[^&]*/g

/** Signs what a store has received as its client should have, with the reference implementation of the algorithm. */
function signatureFor(address: string, method: string, headers: Record<string, string>): string | undefined {
  const { host, pathname, search, searchParams } = new URL(address)
  const request = { service: 's3', region: 'us-east-1', method, headers: { ...headers, Host: host } }
  const isPresigned = searchParams.has('X-Amz-Signature')
  const path = pathname + search.replaceAll(presigned, '')
  const signed = sign({ ...request, path, signQuery: isPresigned }, credentials)
  if (isPresigned) return new URL(`http://${host}${signed.path}`).searchParams.get('X-Amz-Signature') ?? undefined
  return String(signed.headers?.Authorization)
}

/** Replaces `fetch` by a store that accepts only requests with the right signature and token. Returns their addresses. */
function verifyingStore(): string[] {
  const seen: string[] = []
  vi.stubGlobal('fetch', async (address: string, init: { method: string; headers: Record<string, string> }) => {
    const { Authorization, ...others } = init.headers
    seen.push(address)
    const isRight = Authorization === signatureFor(address, init.method, others)
    const hasToken = others['X-Amz-Security-Token'] === credentials.sessionToken
    return new Response(null, { status: isRight && hasToken ? 200 : 403 })
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  return seen
}

const amazon = 'https://s3.us-east-1.amazonaws.com'
const places: [name: string, options: Partial<S3Options>, root: string][] = [
  ['Amazon has the bucket in the host', {}, 'https://uploads.s3.us-east-1.amazonaws.com/'],
  ['a name with a dot is in the path', { bucket: 'my.uploads' }, `${amazon}/my.uploads`],
  ['addressing can be path', { addressing: 'path' }, `${amazon}/uploads`],
  ['another store has the bucket in the path', { endpoint: 'http://s3.example:90' }, 'http://s3.example:90/uploads'],
  [
    'addressing can be host',
    { endpoint: 'http://s3.example/base/', addressing: 'host' },
    'http://uploads.s3.example/base/',
  ],
]

test.each(places)('%s', async (_, given, root) => {
  const seen = verifyingStore()
  const store = await openS3({ bucket: 'uploads', ...credentials, ...given })
  expect(seen).toEqual([`${root}?list-type=2&max-keys=1`])
  const headers = { 'Content-Type': 'application/pdf', 'Content-Length': '7' }
  const upload = { key: 'tenants/a b.pdf', request: { content_type: 'application/pdf', file_size: 7 } }
  const { href, searchParams } = new URL(store.uploadUrl(upload as Parameters<typeof store.uploadUrl>[0], 900))
  expect(href).toContain(`${root.replace(/\/$/, '')}/tenants/a%20b.pdf?`)
  expect(['Security-Token', 'SignedHeaders', 'Signature'].map((name) => searchParams.get(`X-Amz-${name}`))).toEqual([
    ...[credentials.sessionToken, 'content-length;content-type;host', signatureFor(href, 'PUT', headers)],
  ])
})

test('a bucket cannot be in front of an IP address', async () => {
  const options = { bucket: 'uploads', ...credentials, endpoint: 'http://127.0.0.1:9000', addressing: 'host' } as const
  await expect(createS3Client(options)).rejects.toThrow('cannot be in front of the address 127.0.0.1:9000.')
})
