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

test('every folder and file of the map is there', () => {
  const [map] = blocksOf(guide).filter(({ language, text }) => language === '' && text.includes('openapi.yaml'))
  const places = (map?.text ?? '').split('\n').flatMap((line) => line.split(/\s/)[0] || [])
  expect(places.length).toBeGreaterThan(10)
  expect(nonEmpty(places).filter((place) => !existsSync(join(root, place)))).toEqual([])
})

test('the top level has at most 28 entries', () => {
  const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  const entries = new Set(tracked.split('\n').flatMap((path) => path.split('/')[0] || []))
  expect(entries.size).toBeLessThanOrEqual(28)
})
