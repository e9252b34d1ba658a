import { createHash } from 'node:crypto'
import fs, { mkdirSync, readdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { type ObjectFolder, openObjectFolder } from '../../src/node/files/object-folder.ts'
import { type StartOptions, startMock } from '../../src/node/start-mock.ts'
import { buildSharedMock } from '../../src/shared-mock.ts'
import { UnavailableError, UncertainError } from '../../src/world/archive.ts'
import type { Stream } from '../../src/world/shared/stream.ts'
import { MemoryStreams } from '../support/memory-stream.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { scratch } from '../support/scratch.ts'
import { clientOf, freshKey } from '../support/service.ts'

/** Starts a mock with its files in a folder. */
async function start(options: StartOptions) {
  const mock = await startMock({ approvers: 'manual', graceMs: 100, ...options })
  onTestFinished(() => mock.close())
  return mock
}

/** Returns the paths of all files in a folder, without the owner file and those that were moved aside. */
function filesIn(folder: string): string[] {
  return allIn(folder).filter((path) => !asideIn(folder).includes(path) && !path.endsWith(owner))
}

function allIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  return names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
}

const asideIn = (folder: string) => allIn(folder).filter((path) => path.startsWith(join(folder, 'aside/')))

const owner = 'countersign-objects.txt'
const contentsOf = (folder: string) => filesIn(folder).map((path) => readFileSync(path, 'utf8'))

/** Makes a function of `node:fs` fail until the test ends or the returned function is called. */
function breakFs(
  name: 'writeSync' | 'openSync' | 'renameSync' | 'fsync',
  code: string,
  isMeant: (path: unknown) => boolean,
) {
  const real = fs[name] as (...args: unknown[]) => unknown
  const failing = (...args: unknown[]) => {
    if (!isMeant(args[0])) return real(...args)
    const error = Object.assign(new Error(`${code}: it fails`), { code, syscall: name })
    const last = args.at(-1)
    if (name === 'fsync' && typeof last === 'function') return last(error)
    throw error
  }
  Object.assign(fs, { [name]: failing })
  syncBuiltinESMExports()
  const repair = () => {
    Object.assign(fs, { [name]: real })
    syncBuiltinESMExports()
  }
  onTestFinished(repair)
  return repair
}

test('files are in the folder and not in memory, and read back as they were sent', async () => {
  const objects = join(scratch(), 'not', 'there yet')
  const mock = await start({ objects })
  const client = clientOf(mock)
  const bytes = 'ü'.repeat(100_000)
  const one = await client.storedText(bytes)
  expect(contentsOf(objects)).toEqual([bytes])
  const answer = await client.download(one)
  expect([answer.status, answer.text, answer.headers.get('Content-Length')]).toEqual([200, bytes, '200000'])
  expect((await client.confirm(one)).status).toBe(200)
  expect((await client.call('GET', '/__admin/uploads')).text).toContain('"is_kept":true')
})

test('a second PUT replaces the file, a refused one leaves it, and a reset removes it', async () => {
  const objects = scratch()
  const mock = await start({ objects })
  const client = clientOf(mock)
  const upload = await client.storedText('first')
  expect((await client.store(upload, 'other')).status).toBe(200)
  expect(contentsOf(objects)).toEqual(['other'])
  const refused = { ...upload, headers: { ...upload.headers, 'x-amz-checksum-crc32': 'AAAAAA==' } }
  expect((await client.store(refused, 'third')).status).toBe(400)
  expect(contentsOf(objects)).toEqual(['other'])
  await client.call('POST', '/__admin/reset')
  expect(filesIn(objects)).toEqual([])
  expect(readdirSync(objects)).toEqual([owner])
})

test('after a restart an upload is confirmed, and its file has the same checksum', async () => {
  const [folder, objects] = [scratch(), scratch()]
  const journal = join(folder, 'mock.journal')
  const first = await start({ journal, objects })
  const one = clientOf(first)
  const bytes = createHash('sha512').update('some').digest('hex')
  const upload = await one.storedText(bytes)
  await first.close()
  const [path = ''] = filesIn(objects)
  const stranger = join(path, '..', 'f'.repeat(32))
  for (const name of [stranger, `${stranger}.part`, join(path, '..', 'notes.txt')]) writeFileSync(name, 'left behind')
  const second = await start({ journal, objects })
  expect(filesIn(objects).sort()).toEqual([path, join(path, '..', 'notes.txt')].sort())
  expect(asideIn(objects).map((path) => basename(path))).toEqual([basename(stranger)])
  const again = clientOf(second, one.key)
  expect((await again.confirm(upload)).status).toBe(200)
  const sum = (text: string) => createHash('sha256').update(text).digest('hex')
  expect(sum((await again.download(upload)).text)).toBe(sum(bytes))
  expect(readdirSync(folder)).not.toContain('mock.journal.part')
})

test('a folder belongs to one mock and one journal', async () => {
  const [folder, objects] = [scratch(), scratch()]
  const journal = join(folder, 'mock.journal')
  const first = await start({ journal, objects })
  await clientOf(first).storedText('abc')
  const other = join(folder, 'other.journal')
  await expect(startMock({ journal: other, objects })).rejects.toThrow(/^Another mock has the folder .* open\. Stop it/)
  await first.close()
  await expect(startMock({ journal: other, objects })).rejects.toThrow(
    /has the files of the journal [\da-f]{32}, .*mock\.journal\. St/,
  )
  await expect(startMock({ objects })).rejects.toThrow(/choose another folder/)
  expect(contentsOf(objects)).toEqual(['abc'])
})

test('files of a mock without a journal are removed by the next mock in the folder', async () => {
  const objects = scratch()
  const first = await start({ objects })
  await clientOf(first).storedText('abc')
  await first.close()
  expect(contentsOf(objects)).toEqual(['abc'])
  await start({ journal: join(scratch(), 'mock.journal'), objects })
  expect(filesIn(objects)).toEqual([])
})

const failures = [
  ['writeSync', 'ENOSPC', 507, 'InsufficientStorage', /Free some space on its disk, then try again/],
  ['fsync', 'EDQUOT', 507, 'InsufficientStorage', /Free some space/],
  ['openSync', 'EMFILE', 503, 'ServiceUnavailable', /EMFILE.* Raise the limit of open files \(ulimit -n\)/],
  ['openSync', 'EROFS', 503, 'ServiceUnavailable', /Make it readable and writable for the mock, then try again/],
  ['writeSync', 'EIO', 503, 'ServiceUnavailable', /EIO/],
  ['renameSync', 'EACCES', 503, 'ServiceUnavailable', /EACCES/],
] as const

test.each(failures)('if %s fails with %s, a PUT answers %i and leaves nothing', async (...row) => {
  const [name, code, status, word, advice] = row
  const objects = scratch()
  const mock = await start({ objects })
  const client = clientOf(mock)
  const upload = await client.requested('a.txt', 3, 'text/plain')
  const isOurs = (of: unknown) =>
    typeof of === 'string' ? of.startsWith(objects) : Number(of) > 2 && isIn(Number(of), objects)
  const repair = breakFs(name, code, isOurs)
  const refused = await client.store(upload, 'abc')
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([status, '1'])
  expect(refused.text).toContain(`<Code>${word}</Code>`)
  expect(refused.text).toMatch(advice)
  expect(filesIn(objects)).toEqual([])
  repair()
  expect((await client.confirm(upload)).json.code).toBe('object-not-stored')
  expect((await client.store(upload, 'abc')).status).toBe(200)
  expect((await client.confirm(upload)).status).toBe(200)
})

/** Returns true if a descriptor is that of a file in a folder. */
function isIn(descriptor: number, folder: string): boolean {
  const { ino } = fs.fstatSync(descriptor)
  return filesIn(folder).some((path) => statSync(path).ino === ino)
}

test('a folder that is gone answers 503, and works once it is back', async () => {
  const objects = join(scratch(), 'objects')
  const mock = await start({ objects })
  const client = clientOf(mock)
  const stored = await client.storedText('abc')
  const other = await client.requested('a.txt', 3, 'text/plain')
  renameSync(objects, `${objects}.away`)
  for (const makes of [() => {}, () => mkdirSync(objects)]) {
    makes()
    expect((await client.store(other, 'abc')).status).toBe(503)
    const refused = await client.confirm(stored)
    expect([refused.status, refused.json.code]).toEqual([503, 'store-unavailable'])
    expect((await client.download(stored)).json.code).toBe('store-unavailable')
  }
  expect(readdirSync(objects)).toEqual([])
  renameSync(`${objects}.away`, objects)
  expect((await client.store(other, 'abc')).status).toBe(200)
  for (const upload of [stored, other]) expect((await client.confirm(upload)).status).toBe(200)
})

test('a folder that another mock has claimed is left alone', async () => {
  const objects = scratch()
  const mock = await start({ objects })
  const client = clientOf(mock)
  const [stored, other] = [await client.storedText('abc'), await client.requested('a.txt', 3, 'text/plain')]
  const copy = join(scratch(), 'copy')
  fs.cpSync(objects, copy, { recursive: true })
  fs.rmSync(join(objects, owner))
  const second = await start({ objects })
  await clientOf(second).storedText('xyz')
  // The same names, as in a copy of the folder and its journal.
  fs.cpSync(copy, objects, { recursive: true, filter: (path) => !path.endsWith(owner) })
  const refused = await client.store(other, 'abc')
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '1'])
  expect(refused.text).toMatch(/another mock has claimed it\. Put it back, or restart the mock\./)
  expect((await client.store(stored, 'new')).status).toBe(503)
  await client.call('POST', '/__admin/reset')
  expect(contentsOf(objects).sort()).toEqual(['abc', 'xyz'])
})

test('a file that was removed cannot be confirmed until it is sent again', async () => {
  const objects = scratch()
  const mock = await start({ objects })
  const client = clientOf(mock)
  const upload = await client.storedText('abc')
  for (const path of filesIn(objects)) fs.truncateSync(path, 1)
  expect((await client.confirm(upload)).json.code).toBe('object-not-stored')
  for (const path of filesIn(objects)) fs.rmSync(path)
  expect((await client.confirm(upload)).json.detail).toMatch(/PUT it to the upload_url again/)
  expect((await client.download(upload)).json.code).toBe('object-not-kept')
  expect((await client.store(upload, 'abc')).status).toBe(200)
  expect((await client.confirm(upload)).status).toBe(200)
})

test('no key and no file name chooses a path', async () => {
  const outside = scratch()
  const objects = join(outside, 'objects')
  const mock = await start({ objects })
  const hostile = [
    '../../etc/passwd',
    '..\\..\\x',
    'C:\\con',
    'a\0b',
    '.',
    '..',
    `${owner}`,
    'x'.repeat(200),
    '名前',
    'NUL.txt',
    'A',
    'a',
  ]
  for (const [index, name] of nonEmpty(hostile).entries()) {
    const client = clientOf(mock, `test_../${index}/..%2f`)
    const answer = await client.call('POST', '/api/v1/upload/', {
      file_name: name,
      content_type: 'text/plain',
      file_size: 3,
    })
    if (answer.status === 200) await client.store(answer.json, 'abc')
  }
  expect(filesIn(objects).length).toBeGreaterThan(5)
  const isSafe = /^[\da-f]{32}[/\\][\da-f]{32}$/
  expect(filesIn(objects).filter((path) => !isSafe.test(path.slice(objects.length + 1)))).toEqual([])
  expect(readdirSync(outside)).toEqual(['objects'])
})

test('names that are not ours reach no file', async () => {
  const outside = scratch()
  const folder = await openObjectFolder(join(outside, 'objects'), { kind: 'memory' })
  onTestFinished(() => folder.close())
  writeFileSync(join(outside, 'secret'), 'secret')
  const text = fc.oneof(fc.string(), fc.constantFrom('..', '../secret', 'secret', '.', ''))
  const tenant = fc.constantFrom('a'.repeat(32), '..', '../..', '')
  fc.assert(
    fc.property(tenant, text, (tenantId, name) => {
      expect(() => folder.receive(tenantId, name)).toThrow(TypeError)
      expect(folder.sizeOf(tenantId, name)).toBeUndefined()
      expect([...folder.read(tenantId, name, 10)]).toEqual([])
      folder.remove(tenantId, [name])
    }),
  )
  expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret')
})

test('an export has the files up to the limit, and a branch has files of its own', async () => {
  const objects = scratch()
  const mock = await start({ objects, maxStoredBytes: 150_000 })
  const client = clientOf(mock)
  const [small, large] = ['a'.repeat(100_001), 'b'.repeat(100_000)]
  const first = await client.storedText(small)
  await client.storedText(large)
  const file = (await client.call('GET', '/__admin/tenants/export')).json
  expect(Object.values(file.objects)).toEqual([Buffer.from(small).toString('base64')])
  expect(JSON.stringify(file.events).match(/"file":"\w+"/g)).toEqual([`"file":"${Object.keys(file.objects)[0]}"`])
  const other = clientOf(mock)
  const wrong = { ...file, objects: { ...file.objects, ['0'.repeat(64)]: '' } }
  expect((await other.call('POST', '/__admin/tenants/import', wrong)).status).toBe(400)
  expect(filesIn(objects)).toHaveLength(2)
  expect((await other.call('POST', '/__admin/tenants/import', file)).status).toBe(201)
  expect((await other.download(first)).text).toBe(small)
  expect(
    (
      await other.confirm({
        ...first,
        key: first.key.replace(/tenants\/[^/]+/, `tenants/${mock.tenants.idOf(other.key)}`),
      })
    ).status,
  ).toBe(200)
  const branch = clientOf(mock)
  const made = await client.call('POST', '/__admin/tenants/branch', { key: branch.key, as_of: 4 })
  expect(made.status).toBe(201)
  expect(contentsOf(objects).sort()).toEqual([small, small, small, large, large].sort())
  await client.call('POST', '/__admin/reset')
  expect((await branch.download(first)).text).toBe(small)
  expect((await branch.call('POST', '/__admin/tenants/import', file)).status).toBe(409)
  expect(contentsOf(objects).sort()).toEqual([small, small, large].sort())
})

/** Starts mocks that share streams and a folder. */
async function share(count: number, change: (stream: Stream) => Stream = (stream) => stream) {
  const path = scratch()
  const streams = new MemoryStreams()
  const folders: ObjectFolder[] = []
  const clients: (key: string) => ReturnType<typeof clientOf>[] = (key) => mocks.map((mock) => clientOf(mock, key))
  const mocks = await Promise.all(
    Array.from({ length: count }, async () => {
      const files = await openObjectFolder(path, { kind: 'shared', secret: 'shared' })
      folders.push(files)
      return buildSharedMock({ approvers: 'manual', clockSpeed: 0, admin: {}, files }, change(streams.connect()))
    }),
  )
  onTestFinished(() => {
    for (const { tenants } of mocks) tenants.stop()
    for (const folder of folders) folder.close()
  })
  return { path, mocks, streams, folders, clients }
}

test('mocks that share a journal share a folder', async () => {
  const { path, clients } = await share(3)
  const [a, b, c] = clients(freshKey())
  if (!a || !b || !c) throw new Error('There are three mocks.')
  const upload = await a.requested('a.txt', 3, 'text/plain')
  expect((await b.store(upload, 'abc')).status).toBe(200)
  expect((await c.store(upload, 'xyz')).status).toBe(200)
  expect(contentsOf(path)).toEqual(['xyz'])
  expect((await a.confirm(upload)).status).toBe(200)
  expect((await b.download(upload)).text).toBe('xyz')
  await c.call('POST', '/__admin/reset')
  expect(filesIn(path)).toEqual([])
  await expect(startMock({ objects: path })).rejects.toThrow(/has the files of the PostgreSQL journal [\da-f]{16}\./)
})

test('a file stays if it is unknown whether it was stored, and goes if it was not', async () => {
  let error: UnavailableError | undefined
  const { path, clients } = await share(1, (stream) => ({
    ...stream,
    async append(addition) {
      if (error && !(error instanceof UncertainError)) throw error
      const isStored = await stream.append(addition)
      if (error) throw error
      return isStored
    },
  }))
  const [client] = clients(freshKey())
  if (!client) throw new Error('There is a mock.')
  const upload = await client.requested('a.txt', 3, 'text/plain')
  error = new UnavailableError('The journal is away.')
  expect((await client.store(upload, 'abc')).status).toBe(503)
  expect(filesIn(path)).toEqual([])
  error = new UncertainError('The journal was lost.')
  expect((await client.store(upload, 'abc')).status).toBe(503)
  error = undefined
  expect((await client.download(upload)).text).toBe('abc')
  expect((await client.confirm(upload)).status).toBe(200)
})

test('what a shared mock left behind is moved aside after a day', async () => {
  const { path, clients, mocks, streams, folders } = await share(1)
  const key = freshKey()
  const upload = await clients(key)[0]?.storedText('abc')
  const [kept = ''] = filesIn(path)
  const [old, young] = ['e', 'f'].map((digit) => join(kept, '..', digit.repeat(32))) as [string, string]
  const long = Date.now() / 1000 - 25 * 3600
  for (const name of [old, `${old}.part`, young]) writeFileSync(name, '')
  for (const name of [old, `${old}.part`, kept]) utimesSync(name, long, long)
  const [files] = folders
  if (!files || !upload) throw new Error('There is a mock with a folder.')
  const other = await buildSharedMock({ admin: {}, files }, streams.connect())
  onTestFinished(() => other.tenants.stop())
  const client = clientOf(other, key)
  expect((await client.download(upload)).text).toBe('abc')
  expect(filesIn(path).sort()).toEqual([kept, young].sort())
  expect(asideIn(path).map((one) => basename(one))).toEqual([basename(old)])
  expect(mocks).toHaveLength(1)
})
