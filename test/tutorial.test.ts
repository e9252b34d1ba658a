import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { blocksOf } from './support/markdown.ts'
import { nonEmpty } from './support/non-empty.ts'
import { changed, changeOf } from './support/tutorial.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = readdirSync(`${root}docs`).filter((name) => name.startsWith('tutorial-'))

test('each change of the tutorial finds its place', () => {
  const files = new Map<string, string>()
  for (const page of nonEmpty(pages.sort())) {
    for (const { language, text } of nonEmpty(blocksOf(readFileSync(`${root}docs/${page}`, 'utf8')))) {
      if (language === 'sh') continue
      const change = changeOf(text)
      const path = root + change.path
      const before = files.get(path) ?? (existsSync(path) ? readFileSync(path, 'utf8') : '')
      files.set(path, changed(before, change))
    }
  }
  expect(files.size).toBeGreaterThan(15)
})

test.each([
  ['// a.ts: before "two"\nnew', 'one\nnew\ntwo\nthree'],
  ['# a.ts: in "one", after "two"\nnew', 'one\ntwo\nnew\nthree'],
  ['// a.ts: in place of "one" to "two"\nnew', 'new\nthree'],
  ['// a.ts: at the end\nnew', 'one\ntwo\nthreenew'],
])('%#: a block changes its place', (block, after) => {
  expect(changed('one\ntwo\nthree', changeOf(block))).toBe(after)
})

test('a place that is missing or not unique is an error', () => {
  expect(() => changed('one', changeOf('// a.ts: before "two"\nnew'))).toThrow("no line with 'two'")
  expect(() => changed('one\none', changeOf('// a.ts: before "one"\nnew'))).toThrow('2 lines')
  expect(() => changeOf('const a = 1')).toThrow('names no place')
})
