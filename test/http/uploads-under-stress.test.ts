import fc from 'fast-check'
import { expect, test } from 'vitest'
import { character } from '../support/character.ts'
import { mustAnswer } from '../support/must-answer.ts'
import { cases } from '../support/sample.ts'
import { service } from '../support/service.ts'
import { storedBytes } from '../support/stored.ts'

/** Returns a body in chunks. Each chunk arrives after the one before was read. */
function inPieces(bytes: Uint8Array, size: number, breaksAt = Number.POSITIVE_INFINITY): ReadableStream {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= breaksAt) controller.error(new TypeError('terminated'))
      else if (at >= bytes.length) controller.close()
      else controller.enqueue(bytes.slice(at, Math.min(at + size, breaksAt)))
      at += size
    },
  })
}

const pdfHeaders = { 'Content-Type': 'application/pdf', 'Content-Length': '256' }
const putInPieces = (url: string, body: ReadableStream) =>
  new Request(url, { method: 'PUT', headers: pdfHeaders, body, duplex: 'half' } as RequestInit)

test('a client that disconnects during a file stores no object, and can retry', async () => {
  const { requested, store, pdf, send, world, confirm } = service()
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 1, max: 256 }), async (breaksAt, size) => {
      const upload = await requested()
      await mustAnswer(send(putInPieces(upload.upload_url, inPieces(pdf, size, breaksAt))), 400, 'IncompleteBody')
      expect(storedBytes(world, upload.key)).toBeUndefined()
      await mustAnswer(confirm(upload), 409)
      await mustAnswer(store(upload), 200)
      await mustAnswer(confirm(upload), 200)
    }),
    { numRuns: cases(100, 10) },
  )
})

test('two PUTs at once leave one of the two files whole, with its checksum', async () => {
  const { requested, send, world, confirm, pdf } = service()
  const files = [pdf, pdf.map((byte) => 255 - byte)]
  const sizes = fc.array(fc.integer({ min: 1, max: 256 }), { minLength: 2, maxLength: 2 })
  await fc.assert(
    fc.asyncProperty(sizes, async (sizes) => {
      const upload = await requested()
      const tags = await Promise.all(
        files.map(async (file, index) => {
          const put = send(putInPieces(upload.upload_url, inPieces(file, sizes[index] ?? 1)))
          return (await mustAnswer(put, 200)).headers.get('ETag')
        }),
      )
      const kept = files.findIndex((file) => Buffer.compare(file, storedBytes(world, upload.key) ?? pdf.slice(1)) === 0)
      expect(`"${(await confirm(upload)).json.crc32}"`).toBe(tags[kept])
    }),
    { numRuns: cases(100, 10) },
  )
})

test('fifty confirmations at once have one effect and one answer', async () => {
  const { stored, confirm, world } = service()
  const upload = await stored()
  const answers = await Promise.all(Array.from({ length: 50 }, () => mustAnswer(confirm(upload), 200)))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(world.journal.read(undefined, 'UploadConfirmed')).toHaveLength(1)
})

test('many sessions at once keep their files apart', async () => {
  const texts = Array.from({ length: cases(1000, 100) }, (_, index) => `file ${index}`)
  const { storedText, confirm, world } = service()
  const keys = await Promise.all(texts.map(async (text) => (await confirm(await storedText(text))).json.key))
  expect(keys.map((key) => new TextDecoder().decode(storedBytes(world, key)))).toEqual(texts)
})

const keptNames = [
  ..."a b+c%.pdf|it's (1)!*.pdf|?x=1&y#z|...|con|NUL.pdf|COM1|~|.hidden| | a|a |a.|-rf|$(id)|`id`|*|%2e%2e|%00|%".split(
    '|',
  ),
  ...'a\u202egpj.exe|\u200b|\u2028|\ufeffa|a\u0085b|"|";x="|\'|<script>|&amp;|{}|📄|é|e\u0301'.split('|'),
  ...['x'.repeat(255), 'é'.repeat(255), '__proto__', 'constructor'],
]
const refusedNames = [
  ...'|..|.|../x|..\\x|a/b|a\\b|/etc/passwd|C:\\x|a\u0000b|a\nb|a\r\nX-Evil: 1|\u001b[2J|x\u007f'.split('|'),
  ...['x'.repeat(256), 'x'.repeat(1000), '👨‍👩‍👧‍👦'.repeat(40)],
]

test('a file name is refused with its field, or kept exactly', async () => {
  const { requested, store, pdf, confirm, world } = service()
  const isKept = async (name: string) => {
    const upload = await requested(name)
    if (upload.status === 400) {
      expect(upload.errors).toContainEqual(expect.objectContaining({ pointer: '/file_name' }))
      return false
    }
    expect(upload.key).toMatch(/^tenants\/[0-9a-f]{32}\/uploads\/[0-9a-z]{16}\//)
    expect(upload.key.split('/').slice(4)).toEqual([name])
    await mustAnswer(store(upload), 200)
    expect(storedBytes(world, upload.key)).toEqual(pdf)
    expect(await confirm(upload, name)).toMatchObject({ status: 200, json: { file_name: name, key: upload.key } })
    return true
  }
  for (const name of keptNames) expect(await isKept(name), name).toBe(true)
  for (const name of refusedNames) expect(await isKept(name), name).toBe(false)
  const anyName = fc.oneof(
    fc.string({ unit: character, minLength: 1, maxLength: 300 }).filter((name) => name.isWellFormed()),
    fc.string({ unit: 'grapheme', minLength: 1 }),
  )
  await fc.assert(
    fc.asyncProperty(anyName, async (name) => void (await isKept(name))),
    { numRuns: cases(150, 20) },
  )
})

test('every content type that is accepted can be sent with the PUT', async () => {
  const { requested, store } = service()
  const anyType = fc.oneof(
    fc.stringMatching(/^[A-Za-z0-9!#$&^_.+-]{1,9}\/[A-Za-z0-9!#$&^_.+-]{1,9}( {0,2};[ -~]{0,9})?$/),
    fc.constantFrom(...'text/plain; |text/plain;|text/plain;charset="utf-8"|a/b; c=" "|é/x|text|a/b\r\nx:y'.split('|')),
  )
  await fc.assert(
    fc.asyncProperty(anyType, async (type) => {
      const upload = await requested('a', 256, type)
      if (upload.upload_url) expect((await store(upload)).status).toBe(200)
      else expect(upload.code).toBe('invalid-request')
    }),
    { numRuns: cases(200, 20) },
  )
})
