import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Block, blocksOf } from './support/markdown.ts'
import { nonEmpty } from './support/non-empty.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const guide = read('CONTRIBUTING.md')
const { scripts } = JSON.parse(read('package.json'))

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-contributing-'))
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
function run(program: string, args: string[], input = ''): Promise<{ failed: boolean; printed: string }> {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, NO_COLOR: '1', npm_config_offline: 'true' }
  return new Promise((resolve) => {
    const child = execFile(program, args, { cwd: folder, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, printed: stdout + stderr }),
    )
    child.stdin?.end(input)
  })
}

/** Returns the texts that the guide quotes after a block that must fail; undefined if the block must succeed. */
function failureOf({ line, text }: Block): string[] | undefined {
  const below = guide.split('\n').slice(line + text.split('\n').length)
  const paragraph = below.join('\n').trimStart().split('\n\n')[0] ?? ''
  return paragraph.startsWith('It fails: ')
    ? [...paragraph.matchAll(/`([^`]+)`/g)].map(([, quoted = '']) => quoted)
    : undefined
}

const example = blocksOf(guide).filter(
  ({ line }) => line > lineOf('### The field') && line < lineOf('## A change of the contract'),
)

/** Returns the position of a heading. Throws if it does not exist, so that only blocks of the example run. */
function lineOf(heading: string): number {
  const index = guide.split('\n').indexOf(heading)
  if (index < 0) throw new Error(`CONTRIBUTING.md has no heading '${heading}'.`)
  return index + 1
}

test('each diff of the example applies, and each command fails or passes as it says', async () => {
  copyRepository()
  for (const block of nonEmpty(example)) {
    const { language, text, line } = block
    const failure = failureOf(block)
    const { failed, printed } = language === 'diff' ? await run('git', ['apply'], text) : await run('sh', ['-ec', text])
    const where = `CONTRIBUTING.md:${line} ${printed}`
    expect(failed, where).toBe(failure !== undefined)
    // Vitest prints passing tests beside failing ones.
    const complaints = printed.replaceAll(/^ *[✓↓].*$/gm, '')
    expect(
      (failure ?? []).filter((quoted) => !complaints.includes(quoted)),
      where,
    ).toEqual([])
  }
}, 1_800_000)

test('the example has a diff for each step, and a failing command for each part', () => {
  const steps = guide.match(/^\*\*\d\. /gm) ?? []
  expect(example.filter(({ language }) => language === 'diff')).toHaveLength(steps.length)
  expect(example.every(({ language }) => ['diff', 'sh'].includes(language))).toBe(true)
  for (const part of nonEmpty(guide.split(/^### /m).slice(1))) expect(part).toMatch(/```\n\nIt fails: [\s\S]*```sh/)
})

const named = [...new Set(guide.match(/\bnpm (run )?[a-z:-]+/g))]

test.each(nonEmpty(named))('%s exists, with the files that it runs', (command) => {
  const [, name = ''] = command.match(/^npm (?:run )?(.*)/) ?? []
  if (['npm ci', 'npm run test:all', 'npm run check'].includes(command)) {
    expect(read('.ci/run')).toMatch(new RegExp(`^${command}( |$)`, 'm'))
  }
  // Commands of npm itself are not scripts.
  if (['ci', 'version'].includes(name)) return
  expect(Object.keys(scripts)).toContain(name)
  const files: string[] = scripts[name].match(/\S+\.(ts|js|yaml)\b/g) ?? []
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
})
