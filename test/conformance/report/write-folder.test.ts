import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createFolder } from '../../../conformance/report/write-whole.ts'
import { scratch } from '../../support/scratch.ts'

describe('a folder', () => {
  test('is created with those around it, and the outermost new one is named', async () => {
    const top = scratch()
    mkdirSync(join(top, 'a'))
    expect(await createFolder(join(top, 'a/b/c'))).toBe(join(top, 'a/b'))
    expect(statSync(join(top, 'a/b/c')).isDirectory()).toBe(true)
  })

  test('that is there stays, and none is named', async () => {
    expect(await createFolder(scratch())).toBe(undefined)
  })

  test('is created once by several at the same time', async () => {
    const top = scratch()
    const made = await Promise.all(Array.from({ length: 8 }, () => createFolder(join(top, 'a/b'))))
    expect(statSync(join(top, 'a/b')).isDirectory()).toBe(true)
    expect(made).toContain(join(top, 'a'))
  })

  test('in the place of a file is refused', async () => {
    const file = join(scratch(), 'file')
    writeFileSync(file, '')
    await expect(createFolder(file)).rejects.toThrow('EEXIST')
    await expect(createFolder(join(file, 'below'))).rejects.toThrow('ENOTDIR')
  })

  test.runIf(existsSync('/proc/self'))('in /proc is refused, where Node would try for ever', async () => {
    await expect(createFolder('/proc/reports/new')).rejects.toThrow('ENOENT')
  })
})
