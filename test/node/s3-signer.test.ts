import { expect, test } from 'vitest'
import { loadSigner } from '../../src/node/s3/signer.ts'

/** The bucket, the credentials and the time of the examples that Amazon publishes for Signature Version 4 in S3. */
const options = {
  endpoint: 'https://examplebucket.s3.amazonaws.com',
  region: 'us-east-1',
  credentials: {
    current: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' },
  },
}
const at = Date.UTC(2013, 4, 24)

test("a presigned URL is that of Amazon's example", async () => {
  const { presign } = await loadSigner(options)
  const url = new URL(presign({ method: 'GET', path: '/test.txt', at }, 86_400))
  expect(url.origin + url.pathname).toBe('https://examplebucket.s3.amazonaws.com/test.txt')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request',
    'X-Amz-Date': '20130524T000000Z',
    'X-Amz-Expires': '86400',
    'X-Amz-SignedHeaders': 'host',
    'X-Amz-Signature': 'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  })
})

const dated = { Date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' }

test.each([
  ['GET', '/?lifecycle', {}, '', 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
  ['GET', '/?max-keys=2&prefix=J', {}, '', '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
  [
    ...['PUT', '/test%24file.text', dated, 'Welcome to Amazon S3.'],
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
] as const)("%s %s has the signature of Amazon's example", async (method, path, given, body, signature) => {
  const { authorize } = await loadSigner(options)
  const { headers } = authorize({ method, path, headers: given, at }, body)
  expect(headers.Authorization).toContain(`Signature=${signature}`)
  expect(headers).not.toHaveProperty('Host')
})
