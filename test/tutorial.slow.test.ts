import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { changed, changeOf, type FileChange } from '../scripts/scaffold/change.ts'
import { mark } from '../scripts/scaffold/plan.ts'
import { type Block, blocksOf } from './support/markdown.ts'
import { nonEmpty } from './support/non-empty.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const pages = readdirSync(join(root, 'docs'))
  .filter((name) => name.startsWith('tutorial-'))
  .sort()
  .map((name) => `docs/${name}`)

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-contributing-'))
  copyRepository()
})
// The tests change the same copy, in any order.
beforeEach(() => {
  execFileSync('git', ['reset', '-q', '--hard'], { cwd: folder })
  execFileSync('git', ['clean', '-qfd'], { cwd: folder })
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Copies the files that Git tracks and commits them, to compare with. Packages are linked, except for this one. */
function copyRepository(): void {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0')
  for (const path of tracked.filter((path) => path !== '' && existsSync(join(root, path)))) {
    cpSync(join(root, path), join(folder, path))
  }
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules'))) {
    const target = name === 'countersign' ? folder : join(root, 'node_modules', name)
    if (!name.startsWith('.') || name === '.bin') symlinkSync(target, join(folder, 'node_modules', name))
  }
  const as = ['-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false']
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    [...as, 'commit', '-qm', 'Before'],
  ]) {
    execFileSync('git', args, { cwd: folder })
  }
}

/** Runs a program in the copy, without the variables of this test run. Returns its output. */
function run(program: string, args: string[]): Promise<{ failed: boolean; printed: string }> {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, NO_COLOR: '1', npm_config_offline: 'true' }
  return new Promise((resolve) => {
    execFile(program, args, { cwd: folder, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, printed: stdout + stderr }),
    )
  })
}

/** Makes a change in the copy. */
function make(change: FileChange): void {
  const path = join(folder, change.path)
  writeFileSync(path, changed(change.place === 'new file' ? '' : readFileSync(path, 'utf8'), change))
}

/** Returns the texts that a page quotes below a block that fails, as the page says. */
function failureOf(page: string, { line, text }: Block): string[] | undefined {
  const below = page.split('\n').slice(line + text.split('\n').length)
  const paragraph = below.join('\n').trimStart().split('\n\n')[0] ?? ''
  return paragraph.startsWith('It fails: ')
    ? [...paragraph.matchAll(/`([^`]+)`/g)].map(([, quoted = '']) => quoted)
    : undefined
}

/** Returns the files that Git sees as changed in the copy. */
const changes = () => execFileSync('git', ['status', '--porcelain'], { cwd: folder, encoding: 'utf8' })

test('a refused scaffold touches nothing', async () => {
  const { failed, printed } = await run('npm', ['run', '-s', 'scaffold', '--', 'field', 'Workflow.name'])
  expect([failed, printed]).toEqual([true, "WorkflowRequest has a field 'name' already. Choose another name.\n"])
  expect(changes()).toBe('')
}, 60_000)

test('a filled scaffold is green, and Git undoes it as a whole', async () => {
  const vitest = (...files: string[]) => run('npx', ['vitest', 'run', 'test/scaffold.test.ts', ...files])
  for (const path of ['Step.deadline', 'Workflow.cost_centre'] as const) {
    const { failed, printed } = await run('npm', ['run', '-s', 'scaffold', '--', 'field', path, '--assumed'])
    expect(failed, printed).toBe(false)
  }
  const compiled = await run('npx', [
    'tsc',
    '-p',
    'scripts/tsconfig.build.json',
    '--outDir',
    join(folder, '.vitest/types'),
  ])
  expect(compiled.failed, compiled.printed).toBe(false)
  const open = await vitest()
  expect([open.failed, open.printed]).toEqual([true, expect.stringContaining('conformance/catalogue/gaps.yaml:')])
  for (const path of nonEmpty(changes().match(/\S+$/gm) ?? [])) {
    const file = join(folder, path)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(`${mark} `, ''))
  }
  expect((await run('npm', ['run', '-s', 'generate'])).failed).toBe(false)
  const filled = await vitest('test/contract')
  expect(filled.failed, filled.printed).toBe(false)
  execFileSync('git', ['checkout', '-q', '.'], { cwd: folder })
  expect(changes()).toBe('')
}, 600_000)

test('each command of the tutorial fails or passes as its page says', async () => {
  for (const path of nonEmpty(pages)) {
    const page = read(path)
    for (const block of nonEmpty(blocksOf(page))) {
      const { language, text, line } = block
      if (language !== 'sh') {
        make(changeOf(text))
        continue
      }
      const failure = failureOf(page, block)
      const { failed, printed } = await run('sh', ['-ec', text])
      const where = `${path}:${line} ${printed}`
      expect(failed, where).toBe(failure !== undefined)
      // Vitest prints passing tests beside failing ones.
      const complaints = printed.replaceAll(/^ *[✓↓].*$/gm, '')
      expect(
        (failure ?? []).filter((quoted) => !complaints.includes(quoted)),
        where,
      ).toEqual([])
    }
  }
}, 1_800_000)

test('each page shows a command that fails, and a later one that passes', () => {
  for (const path of nonEmpty(pages)) expect(read(path)).toMatch(/```\n\nIt fails: [\s\S]*```sh/)
})
