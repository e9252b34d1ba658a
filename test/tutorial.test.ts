import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { changed, changeOf } from '../scripts/scaffold/change.ts'
import { openPlaces } from '../scripts/scaffold/plan.ts'
import { planOf } from '../scripts/scaffold/plan-of.ts'
import { blocksOf } from './support/markdown.ts'
import { nonEmpty } from './support/non-empty.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = readdirSync(`${root}docs`).filter((name) => name.startsWith('tutorial-'))

test('each change of the tutorial finds its place, after its scaffolds', () => {
  const files = new Map<string, string>()
  const read = (path: string) =>
    files.get(path) ?? (existsSync(root + path) ? readFileSync(root + path, 'utf8') : undefined)
  let scaffolds = 0
  for (const page of nonEmpty(pages.sort())) {
    for (const { language, text } of nonEmpty(blocksOf(readFileSync(`${root}docs/${page}`, 'utf8')))) {
      const [, args] = /^npm run scaffold -- (.*)$/m.exec(text) ?? []
      if (args !== undefined) {
        scaffolds += 1
        for (const [path, edited] of planOf(read, args.split(' ')).edited) files.set(path, edited)
      } else if (language !== 'sh') {
        const change = changeOf(text)
        files.set(change.path, changed(read(change.path) ?? '', change))
      }
    }
  }
  expect(scaffolds).toBe(pages.length)
  expect(files.size).toBeGreaterThan(15)
  expect([...files].flatMap(([path, text]) => openPlaces(path, text))).toEqual([])
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
