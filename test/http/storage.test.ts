import fc from 'fast-check'
import { expect, test } from 'vitest'
import { verifySignedUrl } from '../../src/world/presign.ts'
import { mustAnswer } from '../support/must-answer.ts'
import { cases } from '../support/sample.ts'
import { service, start } from '../support/service.ts'
import { storedBytes } from '../support/stored.ts'

/** Returns what an address means, however it is spelled: its path and its parameters. A single `%` stands for itself. */
function meaningOf(address: string): string {
  const [path = '', query = ''] = address.replaceAll(/%(?![\da-f]{2})/gi, '%25').split('?')
  try {
    const parts = query.split('&').filter((part) => part !== '')
    const parameters = parts.map((part) => JSON.stringify(part.split('=').map(decodeURIComponent)))
    return JSON.stringify([decodeURIComponent(path), parameters.toSorted()])
  } catch {
    return address
  }
}

test.each<[string, Record<string, string>, number]>([
  ['another type', { 'Content-Type': 'text/plain' }, 256],
  ['no type', {}, 256],
  ['a shorter body', { 'Content-Type': 'application/pdf' }, 255],
  ['a longer body', { 'Content-Type': 'application/pdf' }, 257],
])('a PUT with %s is refused', async (_, headers, size) => {
  const { requested, put, world } = service()
  const upload = await requested()
  await mustAnswer(put(upload.upload_url, new Uint8Array(size), headers), 403, 'SignatureDoesNotMatch')
  expect(storedBytes(world, upload.key)).toBeUndefined()
})

test('a body that stays locked after it was read, as in happy-dom, is refused too', async () => {
  const { requested, send } = service()
  const { upload_url, headers } = await requested()
  const request = new Request(upload_url, { method: 'PUT', headers, body: 'hello' })
  await mustAnswer(send(Object.defineProperty(request, 'bodyUsed', { value: false })), 403, 'SignatureDoesNotMatch')
})

test.each(['undefined', '[object File]'])('the refusal of the body %s names the cause', async (body) => {
  const { requested, store } = service()
  expect((await store(await requested(), body)).text).toContain('send await file.arrayBuffer()')
})

test('a stream needs its Content-Length, as in S3, and must have the signed length', async () => {
  const { requested, send, world, pdf } = service()
  const { upload_url, headers, key } = await requested()
  const stream = (size: number, more = {}) => {
    const body = new Blob([pdf.slice(0, size)]).stream()
    const init = { method: 'PUT', headers: { ...headers, ...more }, body, duplex: 'half' }
    return send(new Request(upload_url, init as RequestInit))
  }
  await mustAnswer(stream(256), 411, 'MissingContentLength')
  await mustAnswer(stream(256, { 'Transfer-Encoding': 'chunked' }), 411, 'MissingContentLength')
  await mustAnswer(stream(255, { 'Content-Length': '256' }), 403, 'SignatureDoesNotMatch')
  expect((await stream(256, { 'Content-Length': '256' })).status).toBe(200)
  expect(storedBytes(world, key)).toEqual(pdf)
})

test.each(['POST', 'GET', 'DELETE'])('%s is not allowed at a storage address', async (method) => {
  const { requested, put } = service()
  const refused = put((await requested()).upload_url, null, {}, method)
  const { headers } = await mustAnswer(refused, 405, 'MethodNotAllowed')
  expect([headers.get('Allow'), headers.get('Content-Type')]).toEqual(['PUT, OPTIONS', 'application/xml'])
})

test('a PUT that carries the key is refused, since it leaks the key to storage', async () => {
  const { requested, store, pdf, key } = service()
  const refused = store(await requested(), pdf, { Authorization: key })
  expect((await mustAnswer(refused, 400, 'InvalidArgument')).text).not.toContain(key)
})

test.each([0, 900])('an address is good until it expires, and no longer, when asked for at ms %i', async (ms) => {
  const { requested, store, world } = service({ startTime: start + ms })
  const upload = await requested()
  world.clock.advance(Date.parse(upload.expires_at) - world.clock.now() - 1)
  expect((await store(upload)).status).toBe(200)
  world.clock.advance(1)
  await mustAnswer(store(upload), 403, 'AccessDenied')
})

test('a faster clock leaves an upload the same real time', async () => {
  const { requested, world } = service({ clockSpeed: 3600 })
  const { expires_at } = await requested()
  const realMinutes = (Date.parse(expires_at) - world.clock.now()) / 3600 / 60_000
  expect(realMinutes).toBeGreaterThan(14)
  expect(realMinutes).toBeLessThanOrEqual(15)
})

test('an upload URL with another meaning is never accepted', async () => {
  const { requested, store, world, pdf } = service()
  const upload = await requested('a b+c.pdf')
  const other = await requested('a b+c.pdf')
  const terms = { method: 'PUT', host: 'mock.test', contentType: 'application/pdf', contentLength: pdf.byteLength }
  const { origin, pathname, search } = new URL(upload.upload_url)
  const signed = pathname + search
  const position = fc.integer({ min: 1, max: signed.length - 1 })
  const char = fc.constantFrom(...'abcxyzABCXYZ0189-_.~%/&=+?;')
  const single = fc
    .tuple(position, char, fc.constantFrom('replace', 'insert', 'remove'))
    .map(
      ([at, char, how]) =>
        signed.slice(0, at) + (how === 'remove' ? '' : char) + signed.slice(how === 'insert' ? at : at + 1),
    )
  const parameters = search.slice(1).split('&')
  const meant = fc.oneof(
    fc.shuffledSubarray([...parameters, ...parameters]).map((some) => `${pathname}?${some.join('&')}`),
    position.map((at) => signed.slice(0, at) + signed.slice(at).toUpperCase()),
    position.map((at) => `${signed.slice(0, at)}%${signed.charCodeAt(at).toString(16)}${signed.slice(at + 1)}`),
    fc.nat(64).map((length) => signed.replace(/(X-Amz-Signature=).*/, `$1${search.slice(-64, -64 + length)}`)),
    fc.stringMatching(/^[0-9a-f]{64}$/).map((signature) => signed.slice(0, -64) + signature),
    fc.nat(10 ** 9).map((seconds) => signed.replace(/(X-Amz-Expires=)\d+/, `$1${seconds}`)),
    fc.constant(signed.replace(upload.key.split('/')[3], other.key.split('/')[3])),
    fc.constant(signed.slice(0, -64) + other.upload_url.slice(-64)),
  )
  const refusalOf = (address: string) => verifySignedUrl(address, terms, world.secret, world.clock.now())
  expect(refusalOf(signed)).toBeUndefined()
  fc.assert(
    fc.property(fc.oneof(single, meant), (changed) => {
      const address = new URL(origin + changed).href.slice(origin.length)
      // Another spelling is the same address.
      fc.pre(meaningOf(address) !== meaningOf(signed))
      expect(refusalOf(address)).toBeDefined()
    }),
    { numRuns: cases(10_000, 200) },
  )
  const swapped = origin + signed.slice(0, -64) + other.upload_url.slice(-64)
  await mustAnswer(store({ ...upload, upload_url: swapped }), 403, 'SignatureDoesNotMatch')
  expect(storedBytes(world, upload.key)).toBeUndefined()
})

test('every spelling of an upload URL is the same address', async () => {
  const { requested, store } = service()
  const upload = await requested("contract (1) é+b&c=d~100%_'!*'.pdf")
  const { origin, pathname, search } = new URL(upload.upload_url)
  const parameters = search.slice(1).split('&')
  const hex = (char: string, isLower: boolean) => {
    const digits = char.charCodeAt(0).toString(16).padStart(2, '0')
    return `%${isLower ? digits : digits.toUpperCase()}`
  }
  const characters = `${pathname}?`.match(/%..|./g) ?? []
  const spelled = fc.array(fc.nat(3), { minLength: characters.length, maxLength: characters.length }).map((ways) =>
    characters
      .map((char, at) => {
        if (/%[2-7]./.test(char)) {
          const decoded = decodeURIComponent(char)
          return ways[at] === 0 && /[!'()*+,:;@$&=~]/.test(decoded) ? decoded : hex(decoded, ways[at] === 1)
        }
        if (char.startsWith('%')) return ways[at] === 1 ? char.toLowerCase() : char
        return ways[at] === 0 && /[\w~-]/.test(char) ? hex(char, true) : char
      })
      .join(''),
  )
  const ordered = fc.shuffledSubarray(parameters, { minLength: parameters.length })
  await fc.assert(
    fc.asyncProperty(spelled, ordered, fc.constantFrom('', '&', '&&'), async (path, query, end) => {
      const upload_url = origin + path + query.join('&') + end
      expect((await store({ ...upload, upload_url })).status).toBe(200)
    }),
    { numRuns: cases(500, 50) },
  )
})

test.each([
  ['another host', 'http://elsewhere.test', undefined, 403],
  ['another port', 'http://mock.test:8080', undefined, 403],
  ['the host in capitals', 'http://MOCK.test', undefined, 200],
  ['the default port', 'http://mock.test:80', undefined, 200],
  ['another host behind a public address', 'http://elsewhere.test', 'http://mock.test', 200],
  ['another path behind a public address', 'http://elsewhere.test', 'http://mock.test/team', 200],
])('a PUT with %s is answered with its status', async (_, sent, publicBaseUrl, status) => {
  const { requested, store } = service(publicBaseUrl === undefined ? {} : { publicBaseUrl })
  const upload = await requested()
  const upload_url = upload.upload_url.replace(publicBaseUrl ?? 'http://mock.test', sent)
  const code = status === 403 ? 'SignatureDoesNotMatch' : undefined
  const { text } = await mustAnswer(store({ ...upload, upload_url }), status, code)
  if (code) expect(text).toContain(`not signed for the host &apos;${new URL(sent).host}&apos;`)
})

test('a file may be put again until it is confirmed, and never after', async () => {
  const { stored, store, confirm, world } = service()
  const upload = await stored()
  const other = new Uint8Array(256).fill(7)
  expect((await store(upload, other)).status).toBe(200)
  await confirm(upload)
  await mustAnswer(store(upload), 403, 'InvalidObjectState')
  expect(storedBytes(world, upload.key)).toEqual(other)
})

test('an empty file is a file', async () => {
  const { requested, store, confirm } = service()
  const upload = await requested('contract.pdf', 0)
  expect((await store(upload, new Uint8Array())).status).toBe(200)
  expect((await confirm(upload)).json.file_size).toBe(0)
})

test('an error shows the requested path as text, not as markup', async () => {
  const refused = service().put('http://mock.test/storage/tenants/x/uploads/y/<Code>&"', new Uint8Array(1))
  expect((await mustAnswer(refused, 403, 'SignatureDoesNotMatch')).text.match(/<Code>/g)).toHaveLength(1)
})
