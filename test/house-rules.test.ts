import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openLoops } from './support/loops.ts'
import { nonEmpty } from './support/non-empty.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const tests = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts', '*.test.tsx'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((file) => file !== '' && existsSync(root + file))

test('every test file is under test/, or under the test/ of an example', () => {
  expect(nonEmpty(tests).filter((file) => !/^(examples\/[^/]+\/)?test\//.test(file))).toEqual([])
})

test('loops of tests have items', () => {
  const found = nonEmpty(tests).flatMap((file) =>
    openLoops(readFileSync(root + file, 'utf8')).map(({ line, list }) => `${file}:${line}: ${list}`),
  )
  expect(found, 'Put the list into nonEmpty(…), or assert on a list of what is wrong.').toEqual([])
})

test.each([
  'for (const one of many) expect(one).toBe(1)',
  'test.each(many)("%s", () => {})',
  'describe.each(many.map(String))("%s", () => {})',
  'const many = [...others]; test.each(many)("%s", () => {})',
  'test.each([])("%s", () => {})',
])('the loop $0 is found', (text) => {
  expect(openLoops(text)).toHaveLength(1)
})

test.each([
  'for (const one of nonEmpty(many)) expect(one).toBe(1)',
  'for (const one of many) count(one)',
  'const many = ["a"] as const; test.each(many)("%s", () => {})',
  'test.each([...others, "a"])("%s", () => {})',
])('the loop $0 is fine', (text) => {
  expect(openLoops(text)).toEqual([])
})

/** What writes to files, except that GitHub's summary is appended to. */
const writers = /\b(writeFile|writeFileSync|createWriteStream|copyFile|cp|rename)\b/

test('commands write files with one function, which follows links and spares devices', () => {
  const sources = execFileSync('git', ['ls-files', 'cli', 'src/learn', 'conformance/**.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
  const imports = (file: string) =>
    readFileSync(root + file, 'utf8')
      .match(/^import .* from 'node:fs.*'$/gm)
      ?.join('\n') ?? ''
  const found = nonEmpty(sources.trim().split('\n')).filter((file) => writers.test(imports(file)))
  expect(found).toEqual(['conformance/report/write-whole.ts'])
})
