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
import { mustAnswer } from '../support/must-answer.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { contentsIn, filesIn, owner } from '../support/object-files.ts'
import { scratch } from '../support/scratch.ts'
import { clientOf, freshKey } from '../support/service.ts'
import { started } from '../support/started.ts'

const start = (options: StartOptions, key?: string) => started({ approvers: 'manual', ...options }, key)

/** Starts a mock whose files are in an empty folder. */
async function startInFolder() {
  const objects = scratch()
  return { objects, ...(await start({ objects })) }
}

const requestedBy = ({ requested }: Pick<ReturnType<typeof clientOf>, 'requested'>) =>
  requested('a.txt', 3, 'text/plain')

test('files are in the folder and not in memory, and read back as they were sent', async () => {
  const objects = join(scratch(), 'not', 'there yet')
  const { storedText, download, confirm, call } = await start({ objects })
  const bytes = 'ü'.repeat(100_000)
  const upload = await storedText(bytes)
  expect(contentsIn(objects).inPlace).toEqual([bytes])
  const { text, headers } = await mustAnswer(download(upload), 200)
  expect([text, headers.get('Content-Length')]).toEqual([bytes, '200000'])
  await mustAnswer(confirm(upload), 200)
  expect((await call('GET', '/__admin/uploads')).text).toContain('"is_kept":true')
})

test('a second PUT replaces the file, a refused one leaves it, and a reset removes it', async () => {
  const { objects, storedText, store, call } = await startInFolder()
  const upload = await storedText('first')
  await mustAnswer(store(upload, 'other'), 200)
  expect(contentsIn(objects).inPlace).toEqual(['other'])
  await mustAnswer(store(upload, 'third', { 'x-amz-checksum-crc32': 'AAAAAA==' }), 400)
  expect(contentsIn(objects).inPlace).toEqual(['other'])
  await call('POST', '/__admin/reset')
  expect(readdirSync(objects)).toEqual([owner])
})

test('after a restart an upload is confirmed, and its file is what was sent', async () => {
  const [folder, objects] = [scratch(), scratch()]
  const journal = join(folder, 'mock.journal')
  const first = await start({ journal, objects })
  const upload = await first.storedText('some bytes')
  await first.mock.close()
  const [path = ''] = filesIn(objects).inPlace
  const [stranger, notes] = ['f'.repeat(32), 'notes.txt'].map((name) => join(path, '..', name)) as [string, string]
  for (const name of [stranger, `${stranger}.part`, notes]) writeFileSync(name, 'left behind')
  const { confirm, download } = await start({ journal, objects }, first.key)
  const { inPlace, aside } = filesIn(objects)
  expect([inPlace, aside.map((one) => basename(one))]).toEqual([[path, notes].sort(), [basename(stranger)]])
  await mustAnswer(confirm(upload), 200)
  expect((await download(upload)).text).toBe('some bytes')
  expect(readdirSync(folder)).not.toContain('mock.journal.part')
})

test('a folder belongs to one mock and one journal', async () => {
  const [folder, objects] = [scratch(), scratch()]
  const [journal, other] = [join(folder, 'mock.journal'), join(folder, 'other.journal')]
  const first = await start({ journal, objects })
  await first.storedText('abc')
  const mustRefuse = (options: StartOptions, message: RegExp) => expect(startMock(options)).rejects.toThrow(message)
  await mustRefuse({ journal: other, objects }, /^Another mock has the folder .* open\. Stop it/)
  await first.mock.close()
  await mustRefuse({ journal: other, objects }, /has the files of the journal [\da-f]{32}, .*mock\.journal\. St/)
  await mustRefuse({ objects }, /choose another folder/)
  expect(contentsIn(objects).inPlace).toEqual(['abc'])
})

test('files of a mock without a journal are removed by the next mock in the folder', async () => {
  const { objects, storedText, mock } = await startInFolder()
  await storedText('abc')
  await mock.close()
  expect(contentsIn(objects).inPlace).toEqual(['abc'])
  await start({ journal: join(scratch(), 'mock.journal'), objects })
  expect(filesIn(objects)).toEqual({ inPlace: [], aside: [] })
})

/** Makes a function of `node:fs` fail for what is in a folder, until the test ends or the returned function is called. */
function breakFs(name: 'writeSync' | 'openSync' | 'renameSync' | 'fsync', code: string, folder: string) {
  const real = fs[name] as (...args: unknown[]) => unknown
  const inodes = () => filesIn(folder).inPlace.map((path) => statSync(path).ino)
  const isMeant = (of: unknown) =>
    typeof of === 'string' ? of.startsWith(folder) : Number(of) > 2 && inodes().includes(fs.fstatSync(Number(of)).ino)
  const become = (act: typeof real) => {
    Object.assign(fs, { [name]: act })
    syncBuiltinESMExports()
  }
  become((...args) => {
    if (!isMeant(args[0])) return real(...args)
    const error = Object.assign(new Error(`${code}: it fails`), { code, syscall: name })
    const last = args.at(-1)
    if (name === 'fsync' && typeof last === 'function') return last(error)
    throw error
  })
  const repair = () => become(real)
  onTestFinished(repair)
  return repair
}

test.each([
  ['writeSync', 'ENOSPC', 507, 'InsufficientStorage', /Free some space on its disk, then try again/],
  ['fsync', 'EDQUOT', 507, 'InsufficientStorage', /Free some space/],
  ['openSync', 'EMFILE', 503, 'ServiceUnavailable', /EMFILE.* Raise the limit of open files \(ulimit -n\)/],
  ['openSync', 'EROFS', 503, 'ServiceUnavailable', /Make it readable and writable for the mock, then try again/],
  ['writeSync', 'EIO', 503, 'ServiceUnavailable', /EIO/],
  ['renameSync', 'EACCES', 503, 'ServiceUnavailable', /EACCES/],
] as const)('if %s fails with %s, a PUT answers %i and leaves nothing', async (name, code, status, word, advice) => {
  const { objects, ...client } = await startInFolder()
  const upload = await requestedBy(client)
  const repair = breakFs(name, code, objects)
  const refused = await mustAnswer(client.store(upload, 'abc'), status, word)
  expect(refused.headers.get('Retry-After')).toBe('1')
  expect(refused.text).toMatch(advice)
  expect(filesIn(objects).inPlace).toEqual([])
  repair()
  await mustAnswer(client.confirm(upload), 409, 'object-not-stored')
  await mustAnswer(client.store(upload, 'abc'), 200)
  await mustAnswer(client.confirm(upload), 200)
})

test('a folder that is gone answers 503, and works once it is back', async () => {
  const objects = join(scratch(), 'objects')
  const client = await start({ objects })
  const [stored, other] = [await client.storedText('abc'), await requestedBy(client)]
  renameSync(objects, `${objects}.away`)
  for (const makes of [() => {}, () => mkdirSync(objects)]) {
    makes()
    await mustAnswer(client.store(other, 'abc'), 503)
    await mustAnswer(client.confirm(stored), 503, 'store-unavailable')
    await mustAnswer(client.download(stored), 503, 'store-unavailable')
  }
  expect(readdirSync(objects)).toEqual([])
  renameSync(`${objects}.away`, objects)
  await mustAnswer(client.store(other, 'abc'), 200)
  for (const upload of [stored, other]) await mustAnswer(client.confirm(upload), 200)
})

test('a folder that another mock has claimed is left alone', async () => {
  const copy = join(scratch(), 'copy')
  const { objects, ...client } = await startInFolder()
  const [stored, other] = [await client.storedText('abc'), await requestedBy(client)]
  fs.cpSync(objects, copy, { recursive: true })
  fs.rmSync(join(objects, owner))
  await (await start({ objects })).storedText('xyz')
  // The same names, as in a copy of the folder and its journal.
  fs.cpSync(copy, objects, { recursive: true, filter: (path) => !path.endsWith(owner) })
  const { headers, text } = await mustAnswer(client.store(other, 'abc'), 503)
  expect(headers.get('Retry-After')).toBe('1')
  expect(text).toMatch(/another mock has claimed it\. Put it back, or restart the mock\./)
  await mustAnswer(client.store(stored, 'new'), 503)
  await client.call('POST', '/__admin/reset')
  expect(contentsIn(objects).inPlace).toEqual(['abc', 'xyz'])
})

test('a file that was removed cannot be confirmed until it is sent again', async () => {
  const { objects, storedText, confirm, download, store } = await startInFolder()
  const upload = await storedText('abc')
  const [path = ''] = filesIn(objects).inPlace
  fs.truncateSync(path, 1)
  await mustAnswer(confirm(upload), 409, 'object-not-stored')
  fs.rmSync(path)
  expect((await confirm(upload)).json.detail).toMatch(/PUT it to the upload_url again/)
  await mustAnswer(download(upload), 404, 'object-not-kept')
  await mustAnswer(store(upload, 'abc'), 200)
  await mustAnswer(confirm(upload), 200)
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
  const { mock, ...client } = await start({ objects, maxStoredBytes: 150_000 })
  const [other, branch] = [clientOf(mock), clientOf(mock)]
  const importBy = ({ post }: typeof other, body: object) => post('/__admin/tenants/import', body)
  const [small, large] = ['a'.repeat(100_001), 'b'.repeat(100_000)]
  const first = await client.storedText(small)
  await client.storedText(large)
  const file = (await client.call('GET', '/__admin/tenants/export')).json
  expect(Object.values(file.objects)).toEqual([btoa(small)])
  expect(JSON.stringify(file.events).match(/"file":"\w+"/g)).toEqual([`"file":"${Object.keys(file.objects)[0]}"`])
  const wrong = { ...file, objects: { ...file.objects, ['0'.repeat(64)]: '' } }
  await mustAnswer(importBy(other, wrong), 400)
  expect(filesIn(objects).inPlace).toHaveLength(2)
  await mustAnswer(importBy(other, file), 201)
  expect((await other.download(first)).text).toBe(small)
  const ofOther = first.key.replace(/tenants\/[^/]+/, `tenants/${mock.tenants.idOf(other.key)}`)
  await mustAnswer(other.confirm({ ...first, key: ofOther }), 200)
  await mustAnswer(client.call('POST', '/__admin/tenants/branch', { key: branch.key, as_of: 4 }), 201)
  expect(contentsIn(objects).inPlace).toEqual([small, small, small, large, large])
  await client.call('POST', '/__admin/reset')
  expect((await branch.download(first)).text).toBe(small)
  await mustAnswer(importBy(branch, file), 409)
  expect(contentsIn(objects).inPlace).toEqual([small, small, large])
})

/** Starts mocks that share streams and a folder. */
async function share(count: number, change: (stream: Stream) => Stream = (stream) => stream) {
  const [path, streams, key] = [scratch(), new MemoryStreams(), freshKey()]
  const build = async (files: ObjectFolder) => {
    const mock = await buildSharedMock({ approvers: 'manual', admin: {}, files }, change(streams.connect()))
    onTestFinished(() => mock.tenants.stop())
    return clientOf(mock, key)
  }
  const open = async () => {
    const folder = await openObjectFolder(path, { kind: 'shared', secret: 'shared' })
    onTestFinished(() => folder.close())
    return { ...(await build(folder)), again: () => build(folder) }
  }
  const [one, ...others] = await Promise.all(Array.from({ length: count }, open))
  if (!one) throw new Error('There is a mock.')
  return { path, clients: [one, ...others] as const }
}

test('mocks that share a journal share a folder', async () => {
  const { path, clients } = await share(3)
  const [a, b = a, c = a] = clients
  const upload = await requestedBy(a)
  await mustAnswer(b.store(upload, 'abc'), 200)
  await mustAnswer(c.store(upload, 'xyz'), 200)
  expect(contentsIn(path).inPlace).toEqual(['xyz'])
  await mustAnswer(a.confirm(upload), 200)
  expect((await b.download(upload)).text).toBe('xyz')
  await c.call('POST', '/__admin/reset')
  expect(filesIn(path).inPlace).toEqual([])
  await expect(startMock({ objects: path })).rejects.toThrow(/has the files of the PostgreSQL journal [\da-f]{16}\./)
})

test('a file stays if it is unknown whether it was stored, and goes if it was not', async () => {
  let error: UnavailableError | undefined
  const append =
    (stream: Stream): Stream['append'] =>
    async (addition) => {
      if (error && !(error instanceof UncertainError)) throw error
      const isStored = await stream.append(addition)
      if (error) throw error
      return isStored
    }
  const { path, clients } = await share(1, (stream) => ({ ...stream, append: append(stream) }))
  const [client] = clients
  const upload = await requestedBy(client)
  error = new UnavailableError('The journal is away.')
  await mustAnswer(client.store(upload, 'abc'), 503)
  expect(filesIn(path).inPlace).toEqual([])
  error = new UncertainError('The journal was lost.')
  await mustAnswer(client.store(upload, 'abc'), 503)
  error = undefined
  expect((await client.download(upload)).text).toBe('abc')
  await mustAnswer(client.confirm(upload), 200)
})

test('what a shared mock left behind is moved aside after a day', async () => {
  const { path, clients } = await share(1)
  const [client] = clients
  const upload = await client.storedText('abc')
  const [kept = ''] = filesIn(path).inPlace
  const [old, young] = ['e', 'f'].map((digit) => join(kept, '..', digit.repeat(32))) as [string, string]
  const long = Date.now() / 1000 - 25 * 3600
  for (const name of [old, `${old}.part`, young]) writeFileSync(name, '')
  for (const name of nonEmpty([old, `${old}.part`, kept])) utimesSync(name, long, long)
  const other = await client.again()
  expect((await other.download(upload)).text).toBe('abc')
  const { inPlace, aside } = filesIn(path)
  expect([inPlace, aside.map((one) => basename(one))]).toEqual([[kept, young].sort(), [basename(old)]])
})
