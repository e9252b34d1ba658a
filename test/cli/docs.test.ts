import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { run, start } from '../support/command.ts'

const scratch = mkdtempSync(join(tmpdir(), 'countersign-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const pages = ['errors.html', 'index.html', 'openapi.yaml', 'questions.html', 'traceability.html']

test('it writes the pages and the licences into a folder that it creates', async () => {
  const folder = join(scratch, 'a', 'b')
  const { code, stdout, stderr } = await run(['docs', '--out', folder])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain(`${folder}/index.html`)
  const names = readdirSync(folder)
  expect(names.filter((name) => !name.startsWith('redoc.')).sort()).toEqual(pages)
  expect(names.filter((name) => name.startsWith('redoc.'))).toHaveLength(2)
})

test('without a folder it takes docs-site', async () => {
  const { code } = await run(['docs'], {}, scratch)
  expect(code).toBe(0)
  expect(readdirSync(join(scratch, 'docs-site'))).toEqual(expect.arrayContaining(pages))
})

test('a folder that cannot be written is one line and an exit code of its own', async () => {
  const file = join(scratch, 'file')
  writeFileSync(file, '')
  const { code, stdout, stderr } = await run(['docs', '--out', file])
  expect([code, stdout]).toEqual([4, ''])
  expect(stderr).toMatch(/^The documentation cannot be written to \S+: .+\. Choose another folder with --out\.\n$/)
})

test('a running mock prints where its documentation is, and serves the same pages', async () => {
  const { child, printed, ended } = start(['mock', '--port', '0'])
  const [, address = ''] = (await printed('/docs/\n')).match(/documentation is at (\S+)/) ?? []
  for (const name of pages) {
    const served = await (await fetch(new URL(name, address))).text()
    expect(served === readFileSync(new URL(`../../dist/docs/${name}`, import.meta.url), 'utf8'), name).toBe(true)
  }
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
})
