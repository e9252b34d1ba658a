import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordedSession } from '../../../cli/recorded-session.ts'
import { createFolder, writeWhole } from '../../../conformance/report/write-whole.ts'
import { createMock } from '../../../src/mock.ts'
import { scratch } from '../../support/scratch.ts'

test('a file is replaced, and keeps who may read it', async () => {
  const folder = scratch()
  const file = join(folder, 'a.json')
  writeFileSync(file, 'before')
  chmodSync(file, 0o600)
  const { ino } = statSync(file)
  await writeWhole(file, 'after')
  expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['after', ['a.json']])
  expect([statSync(file).mode & 0o777, statSync(file).ino === ino]).toEqual([0o600, false])
})

test.each(['there', 'not there yet'])('a link to a file that is %s stays, and the file is written', async (is) => {
  const folder = scratch()
  mkdirSync(join(folder, 'data'))
  const file = join(folder, 'data/a.json')
  if (is === 'there') writeFileSync(file, 'before')
  symlinkSync('data', join(folder, 'current'))
  symlinkSync('../data/a.json', join(folder, 'data/second'))
  symlinkSync('current/second', join(folder, 'first'))
  await writeWhole(join(folder, 'first'), 'after')
  expect([readFileSync(file, 'utf8'), readlinkSync(join(folder, 'first'))]).toEqual(['after', 'current/second'])
  expect(readdirSync(join(folder, 'data'))).toEqual(['a.json', 'second'])
})

test('a device is written to, and stays', async () => {
  // Through a link, so that a failure cannot replace the device of this machine.
  const link = join(scratch(), 'null')
  symlinkSync('/dev/null', link)
  await writeWhole(link, 'gone')
  const session = await recordedSession(link, createMock({ record: true }))
  await session.end()
  expect([lstatSync(link).isSymbolicLink(), statSync('/dev/null').isCharacterDevice()]).toEqual([true, true])
})

test('a pipe is written to, but not by a recording, which is written again and again', async () => {
  const pipe = join(scratch(), 'pipe')
  execFileSync('mkfifo', [pipe])
  const [read] = await Promise.all([readFile(pipe, 'utf8'), writeWhole(pipe, 'text')])
  expect([read, lstatSync(pipe).isFIFO()]).toEqual(['text', true])
  await expect(recordedSession(pipe, createMock())).rejects.toThrow(
    /' is a pipe\. Choose another file with --record\.$/,
  )
})

test('a folder and a socket are refused', async () => {
  const folder = scratch()
  await expect(writeWhole(folder, 'text')).rejects.toThrow(`'${folder}' is a folder`)
  const path = join(folder, 's')
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(path, resolve))
  await expect(writeWhole(path, 'text')).rejects.toThrow(`'${path}' is neither a file nor a pipe`)
  server.close()
})

test('a folder is created with those around it, and the outermost new one is named', async () => {
  const top = scratch()
  mkdirSync(join(top, 'a'))
  expect(await createFolder(join(top, 'a/b/c'))).toBe(join(top, 'a/b'))
  expect(statSync(join(top, 'a/b/c')).isDirectory()).toBe(true)
})

test('a folder that is there stays, and none is named', async () => {
  expect(await createFolder(scratch())).toBe(undefined)
})

test('a folder is created once by several at the same time', async () => {
  const top = scratch()
  const made = await Promise.all(Array.from({ length: 8 }, () => createFolder(join(top, 'a/b'))))
  expect(statSync(join(top, 'a/b')).isDirectory()).toBe(true)
  expect(made).toContain(join(top, 'a'))
})

test('a folder in the place of a file is refused', async () => {
  const file = join(scratch(), 'file')
  writeFileSync(file, '')
  await expect(createFolder(file)).rejects.toThrow('EEXIST')
  await expect(createFolder(join(file, 'below'))).rejects.toThrow('ENOTDIR')
})

test.runIf(existsSync('/proc/self'))('a folder in /proc is refused, where Node would try for ever', async () => {
  await expect(createFolder('/proc/reports/new')).rejects.toThrow('ENOENT')
})
