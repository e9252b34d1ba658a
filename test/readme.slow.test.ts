import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readProfile } from '../conformance/reading/profile.ts'
import { type RunningMock, startMock } from '../src/node/index.ts'
import { blocksOf } from './support/markdown.ts'
import { nonEmpty } from './support/non-empty.ts'
import { freshKey } from './support/service.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const readme = read('README.md')
const blocks = blocksOf(readme)
const { scripts } = JSON.parse(read('package.json'))

let folder: string
let mock: RunningMock
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-readme-'))
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  // Inside the package, so that it can import itself by name, and ignored by Git.
  mkdirSync(join(root, '.vitest/readme'), { recursive: true })
  writeFileSync(join(root, '.vitest/readme/vitest.config.mjs'), 'export default {}')
  mock = await startMock({ approvers: 'instant', docs: join(root, 'dist/docs') })
})
afterAll(async () => {
  await mock.close()
  rmSync(folder, { recursive: true })
  rmSync(join(root, '.vitest/readme'), { recursive: true })
})

/** Runs a line in a shell, in an empty folder. Returns its exit code, or stops it as soon as it prints `text`. */
function shell(line: string, cwd = folder, until?: string): Promise<number | null> {
  const env = { ...process.env, COUNTERSIGN_PORT: '0', PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` }
  // In a process group of its own, so that its children end with it.
  const child = spawn('sh', ['-c', line], { cwd, env, detached: true })
  return new Promise((resolve) => {
    let printed = ''
    const onData = (data: Buffer) => {
      printed += data
      if (until === undefined || !printed.includes(until)) return
      process.kill(-Number(child.pid))
      resolve(0)
    }
    child.stdout.on('data', onData)
    child.stderr.on('data', onData)
    child.once('close', resolve)
  })
}

/** Adapts a documented line: the same command, but from this checkout, on a free port, against a mock. */
const runnable = (line: string) =>
  line
    .replace('npx countersign', `node ${join(root, 'bin/countersign.js')}`)
    .replace('test_…', freshKey())
    .replace('https://…', mock.url)
    .replace(/^curl -X POST localhost:4010/, `curl --fail -X POST ${mock.url}`)

const ci = read('.ci/run')
const commands = blocks
  .filter(({ language }) => language === 'sh')
  .flatMap(({ text }) => text.trimEnd().split('\n'))
  .map((line) => line.replace(/ {2,}#.*/, ''))

test.each(nonEmpty(commands.map((line) => [line.slice(0, 79), line])))('%s', async (_, line = '') => {
  const [, own = '', args = ''] = line.match(/^npm run (\S+)(?: -- (.*))?$/) ?? []
  if (line === 'npm ci && npm start') {
    expect(scripts.prestart).toBe('npm run -s build')
    expect(await shell(`exec ${scripts.start}`, root, 'is ready at')).toBe(0)
  } else if (line === 'npm ci && npm test') {
    // A command that runs this test would never end.
    expect(ci).toMatch(/^npm ci$[\s\S]*^npm run test:all /m)
  } else if (/^npx countersign mock/.test(line)) {
    expect(await shell(`exec ${runnable(line)}`, folder, 'is ready at')).toBe(0)
  } else if (/^(COUNTERSIGN_API_KEY=\S+ )?npx countersign conformance|^curl /.test(line)) {
    expect(await shell(runnable(line))).toBe(0)
  } else if (line === 'npx countersign docs --out docs-site') {
    expect(await shell(runnable(line))).toBe(0)
    expect(existsSync(join(folder, 'docs-site/index.html'))).toBe(true)
  } else if (own === 'mock:static') {
    expect(await shell(`exec ${scripts[own]} --port 0`, root, 'Prism is listening')).toBe(0)
  } else {
    expect(scripts[own], `no test knows how to run '${line}'`).toBeTypeOf('string')
    // Without the build before it, because other tests use the result.
    expect(await shell(`${scripts[own]} ${args}`, root)).toBe(0)
  }
})

/** Code around the samples of the README: declares the names that they assume, and checks the result. */
const surroundings: readonly [part: string, before: string, after: string][] = [
  [
    'setupServer(',
    '',
    `const answer = await fetch('https://approvals.example/api/v1/workflows/wf_1', { headers: { Authorization: 'test_a' } })
     if (answer.status !== 404) throw new Error(String(answer.status))`,
  ],
  ['createMock(', '', 'if (response.status !== 401) throw new Error(String(response.status))'],
  [
    'createClient(',
    `const [baseUrl, apiKey] = [process.env.MOCK_URL, process.env.API_KEY]
     const approver = { email: 'lena@example.com', name: 'Lena' }
     const step = { step_id: 'legal', name: 'Legal', order: 1, type: 'approval', approvers: [approver], estimated_duration: 60 }
     const workflow = { name: 'Contract', steps: [step] }
     const file = new File(['Hello'], 'hello.txt', { type: 'text/plain' })
     const { signal } = new AbortController()
     let told = 0
     const onProgress = () => { told += 1 }
     const onUpdate = onProgress
    `,
    'if (told < 3) throw new Error(String(told))',
  ],
]

/** Runs a module that may import the package by its name, with Node and optional arguments of Node. */
async function runModule(name: string, text: string, runner: readonly string[] = []): Promise<void> {
  const path = join(root, '.vitest/readme', name)
  writeFileSync(path, text)
  const env = { ...process.env, MOCK_URL: mock.url, API_KEY: freshKey() }
  await promisify(execFile)(process.execPath, [...runner, path], { cwd: root, env })
}

const code = blocks.filter(({ language }) => language === 'js')

test.each(nonEmpty(code))('the code at line $line runs', async ({ line, text }) => {
  if (text.includes('describeConformance(')) {
    const suite = text.replace("'https://approvals.example'", 'process.env.MOCK_URL')
    expect(suite).not.toBe(text)
    await runModule('suite.test.mjs', suite, ['node_modules/vitest/vitest.mjs', 'run', '--root', '.vitest/readme'])
    return
  }
  const [, before, after] = surroundings.find(([part]) => text.includes(part)) ?? []
  expect(before, 'no test knows what this code takes for granted').toBeDefined()
  const isImport = (one: string) => one.startsWith('import ')
  const lines = text.split('\n')
  const module = [...lines.filter(isImport), before, ...lines.filter((one) => !isImport(one)), after]
  await runModule(`line-${line}.mjs`, module.join('\n'))
})

test('the profile that is shown is one', () => {
  const [profile] = blocks.filter(({ language }) => language === 'json')
  expect(readProfile(profile?.text ?? '').flaw).toBeUndefined()
})

test('the documentation is where the README says', async () => {
  expect(readme).toContain('(http://127.0.0.1:4010/docs/)')
  expect((await fetch(`${mock.url}/docs/`)).status).toBe(200)
})

test('every folder and file of the map is there', () => {
  const [map] = blocks.filter(({ language, text }) => language === '' && text.includes('openapi.yaml'))
  const places = (map?.text ?? '').split('\n').flatMap((line) => line.split(/\s/)[0] || [])
  expect(places.length).toBeGreaterThan(10)
  for (const place of nonEmpty(places)) expect(existsSync(join(root, place)), place).toBe(true)
})
