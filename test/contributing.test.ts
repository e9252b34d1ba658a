import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { blocksOf } from './support/markdown.ts'
import { nonEmpty } from './support/non-empty.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const guide = read('CONTRIBUTING.md')
const { scripts } = JSON.parse(read('package.json'))

const named = [...new Set(guide.match(/\bnpm (run )?[a-z:-]+/g))]

test.each(nonEmpty(named))('%s exists, with the files that it runs', (command) => {
  const [, name = ''] = command.match(/^npm (?:run )?(.*)/) ?? []
  if (/^npm (ci|run (test:all|check(:package|:nodes)?))$/.test(command)) {
    expect(read('.ci/run')).toMatch(new RegExp(`^ *((timeout .*|nice) )?${command}( |$)`, 'm'))
  }
  // npm itself has these commands.
  if (['ci', 'version', 'pack', 'publish'].includes(name)) return
  expect(Object.keys(scripts)).toContain(name)
  const files: string[] = scripts[name].match(/\S+\.(ts|js|yaml)\b/g) ?? []
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n')

test('the map has every folder of the source, and nothing else', () => {
  const [map] = blocksOf(guide).filter(({ language, text }) => language === '' && text.includes('openapi.yaml'))
  const places = (map?.text ?? '').split('\n').flatMap((line) => line.split(/\s/)[0] || [])
  const folders = tracked.flatMap((path) => path.match(/^(src\/[^/]+\/|(?!src)[^./][^/]*\/)/)?.[0] ?? [])
  expect(places.toSorted()).toEqual([...new Set(['openapi.yaml', ...nonEmpty(folders)])].toSorted())
})

test('the top level has at most 28 entries', () => {
  expect(new Set(tracked.map((path) => path.split('/')[0])).size).toBeLessThanOrEqual(28)
})
