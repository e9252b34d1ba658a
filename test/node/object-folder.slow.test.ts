import fs, { cpSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startMock } from '../../src/node/start-mock.ts'
import { mustAnswer } from '../support/must-answer.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { contentsIn } from '../support/object-files.ts'
import { scratch } from '../support/scratch.ts'
import { clientOf, freshKey, type Upload } from '../support/service.ts'

const key = freshKey()
const [first, second] = ['first '.repeat(20_000), 'other '.repeat(20_000)]

async function start(folder: string) {
  const [journal, objects] = [join(folder, 'mock.journal'), join(folder, 'objects')]
  // Upload URLs are signed for this address, so they hold after a restart at another port.
  const options = { publicBaseUrl: 'http://mock.test', approvers: 'manual', graceMs: 100 } as const
  const mock = await startMock({ journal, objects, ...options })
  const { put, ...client } = clientOf(mock, key)
  const send = ({ upload_url, headers }: Upload, body: string) => {
    const { pathname, search } = new URL(upload_url)
    return put(mock.url + pathname + search, body, headers)
  }
  return { ...client, send, objects, close: mock.close }
}

/** Copies a folder before and after each call of the system for it: the files as a kill would leave them. Returns the copies. */
async function copiesDuring(folder: string, act: () => Promise<unknown>): Promise<string[]> {
  const copies: string[] = []
  const names = ['openSync', 'mkdirSync', 'writeSync', 'fsync', 'renameSync', 'rmSync', 'rmdirSync'] as const
  const real = Object.fromEntries(names.map((name) => [name, fs[name]]))
  const become = (functions: object) => {
    Object.assign(fs, functions)
    syncBuiltinESMExports()
  }
  const copy = () => {
    const to = join(scratch(), 'copy')
    become(real)
    cpSync(folder, to, { recursive: true })
    become(copying)
    copies.push(to)
  }
  const isMeant = (of: unknown) => (typeof of === 'string' ? of.startsWith(folder) : Number(of) > 2)
  const copying = Object.fromEntries(
    names.map((name) => [
      name,
      (...args: unknown[]) => {
        const call = real[name] as (...args: unknown[]) => unknown
        if (!isMeant(args[0])) return call(...args)
        copy()
        try {
          return call(...args)
        } finally {
          copy()
        }
      },
    ]),
  )
  become(copying)
  try {
    await act()
    copy()
  } finally {
    become(real)
  }
  return copies
}

test.each([
  ['no', [[], [second]]],
  ['the old', [[first], [second]]],
])('a kill at any point of a PUT leaves %s file or the new one, whole', async (earlier, expected) => {
  const folder = scratch()
  const before = await start(folder)
  const upload: Upload = await before.requested('a.txt', first.length, 'text/plain')
  if (earlier === 'the old') await mustAnswer(before.send(upload, first), 200)
  const copies = await copiesDuring(folder, () => mustAnswer(before.send(upload, second), 200))
  await before.close()
  const seen: string[][] = []
  for (const copy of nonEmpty(copies)) {
    const { confirm, download, send, objects, close } = await start(copy)
    const { inPlace } = contentsIn(objects)
    seen.push(inPlace)
    await mustAnswer(confirm(upload), inPlace.length > 0 ? 200 : 409)
    if (inPlace.length > 0) expect([(await download(upload)).text]).toEqual(inPlace)
    else {
      await mustAnswer(send(upload, second), 200)
      await mustAnswer(confirm(upload), 200)
    }
    expect(contentsIn(objects).inPlace).toHaveLength(1)
    await close()
  }
  const begins = (contents: string[][]) => new Set(contents.map((texts) => JSON.stringify(texts)))
  expect(begins(seen)).toEqual(begins(expected))
  expect(seen.at(-1)).toEqual([second])
  expect(copies.length).toBeGreaterThan(10)
})
