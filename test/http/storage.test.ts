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
  ['no type', { 'Content-Type': '' }, 256],
  ['a shorter body', {}, 255],
])('a PUT with %s is refused', async (_, headers, size) => {
  const { requested, store, world } = service()
  const upload = await requested()
  await mustAnswer(store(upload, new Uint8Array(size), headers), 403, 'SignatureDoesNotMatch')
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
  await mustAnswer(stream(256, { 'Content-Length': '256' }), 200)
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
  await mustAnswer(store(upload), 200)
  world.clock.advance(1)
  await mustAnswer(store(upload), 403, 'AccessDenied')
})

test('a faster clock leaves an upload the same real time', async () => {
  const { requested, world } = service({ clockSpeed: 3600 })
  const { expires_at } = await requested()
  const realMinutes = (Date.parse(expires_at) - world.clock.now()) / 3600 / 60_000
  expect(Math.ceil(realMinutes)).toBe(15)
})

test('an upload URL with another meaning is never accepted', async () => {
  const { requested, store, world, pdf } = service()
  const [upload, other] = [await requested('a b+c.pdf'), await requested('a b+c.pdf')]
  const terms = { method: 'PUT', host: 'mock.test', contentType: 'application/pdf', contentLength: pdf.byteLength }
  const { origin, pathname, search } = new URL(upload.upload_url)
  const signed = pathname + search
  const parameters = search.slice(1).split('&')
  const places = fc.record({ at: fc.integer({ min: 1, max: signed.length - 1 }), removed: fc.nat(1) })
  const text = fc.constantFrom(...'abcxyzABCXYZ0189-_.~%/&=+?;', '')
  const changes = fc.oneof(
    fc.tuple(places, text).map(([{ at, removed }, put]) => signed.slice(0, at) + put + signed.slice(at + removed)),
    fc.shuffledSubarray([...parameters, ...parameters]).map((some) => `${pathname}?${some.join('&')}`),
    places.map(({ at }) => signed.slice(0, at) + signed.slice(at).toUpperCase()),
    places.map(({ at }) => `${signed.slice(0, at)}%${signed.charCodeAt(at).toString(16)}${signed.slice(at + 1)}`),
    fc.nat(64).map((length) => signed.slice(0, -length - 1)),
    fc.stringMatching(/^[0-9a-f]{64}$/).map((signature) => signed.slice(0, -64) + signature),
    fc.nat(10 ** 9).map((seconds) => signed.replace(/(X-Amz-Expires=)\d+/, `$1${seconds}`)),
    fc.constant(signed.replace(upload.key.split('/')[3], other.key.split('/')[3])),
    fc.constant(signed.slice(0, -64) + other.upload_url.slice(-64)),
  )
  const refusalOf = (address: string) => verifySignedUrl(address, terms, world.secret, world.clock.now())
  expect(refusalOf(signed)).toBeUndefined()
  fc.assert(
    fc.property(changes, (changed) => {
      const address = new URL(origin + changed).href.slice(origin.length)
      // Another spelling is the same address.
      fc.pre(meaningOf(address) !== meaningOf(signed))
      expect(refusalOf(address)).toBeDefined()
    }),
    { numRuns: cases(10_000, 200) },
  )
  const upload_url = upload.upload_url.slice(0, -64) + other.upload_url.slice(-64)
  await mustAnswer(store({ ...upload, upload_url }), 403, 'SignatureDoesNotMatch')
  expect(storedBytes(world, upload.key)).toBeUndefined()
})

test('every spelling of an upload URL is the same address', async () => {
  const { requested, store } = service()
  const upload = await requested("contract (1) é+b&c=d~100%_'!*'.pdf")
  const { origin, pathname, search } = new URL(upload.upload_url)
  const parameters = search.slice(1).split('&')
  const characters = `${pathname}?`.match(/%..|./g) ?? []
  /** The character as it is written, and in further ways that an address may have it. */
  const spellings = characters.map((char) => {
    const decoded = /%[^2-7]/.test(char) ? char : decodeURIComponent(char)
    const hex = `%${decoded.charCodeAt(0).toString(16).padStart(2, '0')}`
    if (decoded === char)
      return char.startsWith('%') ? [char, char.toLowerCase()] : /[\w~-]/.test(char) ? [char, hex] : [char]
    return [hex, hex.toUpperCase(), ...(/[!'()*+,:;@$&=~]/.test(decoded) ? [decoded] : [])]
  })
  const spelled = fc.tuple(...spellings.map((ways) => fc.constantFrom(...ways))).map((ways) => ways.join(''))
  const ordered = fc.shuffledSubarray(parameters, { minLength: parameters.length })
  await fc.assert(
    fc.asyncProperty(spelled, ordered, fc.constantFrom('', '&', '&&'), async (path, query, end) => {
      const upload_url = origin + path + query.join('&') + end
      await mustAnswer(store({ ...upload, upload_url }), 200)
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
  await mustAnswer(store(upload, other), 200)
  await confirm(upload)
  await mustAnswer(store(upload), 403, 'InvalidObjectState')
  expect(storedBytes(world, upload.key)).toEqual(other)
})

test('an empty file is a file', async () => {
  const { requested, store, confirm } = service()
  const upload = await requested('contract.pdf', 0)
  await mustAnswer(store(upload, ''), 200)
  expect((await confirm(upload)).json.file_size).toBe(0)
})

test('an error shows the requested path as text, not as markup', async () => {
  const refused = service().put('http://mock.test/storage/tenants/x/uploads/y/<Code>&"', 'a')
  expect((await mustAnswer(refused, 403, 'SignatureDoesNotMatch')).text.match(/<Code>/g)).toHaveLength(1)
})
