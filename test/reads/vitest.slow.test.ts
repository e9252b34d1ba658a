import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { ReadsFile } from '../../src/reads/reads-file.ts'
import { scratch } from '../support/scratch.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Returns a test file that reads members of a workflow, each in a test. */
const reading = (...members: string[]) => `
  import { createMock } from 'countersign'
  import { expect, test } from 'vitest'
  import { reads } from './setup.js'

  const answer = async () => {
    const fetch = reads.follow(createMock().fetch)
    return (await fetch('https://approvals.example/api/v1/workflows/none', { headers: { Authorization: 'test_a' } })).json()
  }
  ${members.map((name) => `test('shows ${name}', async () => expect((await answer()).${name}).toBeTruthy())`).join('\n')}
`

function project() {
  const folder = scratch()
  mkdirSync(join(folder, 'test'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write('package.json', '{"type":"module"}')
  write('vitest.config.js', "export default { test: { setupFiles: 'test/setup.js', maxWorkers: 3 } }")
  write('test/setup.js', "import { recordReads } from 'countersign/reads/vitest'\nexport const reads = recordReads()")
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const run = (...args: string[]) => promisify(execFile)(process.execPath, [vitest, 'run', ...args], { cwd: folder })
  const places = () => {
    const reads: ReadsFile = JSON.parse(readFileSync(join(folder, 'reads.json'), 'utf8'))
    return Object.fromEntries(reads.places.map(({ place, tests }) => [place, tests]))
  }
  return { folder, write, run, places }
}

test('test files add to one file, and a later run replaces what they read', async () => {
  const { folder, write, run, places } = project()
  const of = (files: string, member: string) => [...files].map((file) => `test/${file}.test.js > shows ${member}`)
  for (const name of 'abcd') write(`test/${name}.test.js`, reading('title', name === 'a' ? 'code' : 'detail'))
  // Each file runs in its own process. A process that ended while it held the lock does not stop the others.
  writeFileSync(join(folder, 'reads.json.lock'), '')
  await run('--pool', 'forks')
  const all = { '/title': of('abcd', 'title'), '/code': of('a', 'code'), '/detail': of('bcd', 'detail') }
  expect(places()).toEqual(all)
  await run('-t', 'shows code', 'a.test.js')
  expect(places()).toEqual(all)
  write('test/a.test.js', reading('detail'))
  await run('a.test.js')
  expect(places()).toEqual({ '/title': of('bcd', 'title'), '/detail': of('abcd', 'detail') })
})
