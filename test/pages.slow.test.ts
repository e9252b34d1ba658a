import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readBaseline } from '../conformance/judging/baseline.ts'
import { createMock } from '../src/index.ts'
import { type RunningMock, startMock } from '../src/node/index.ts'
import { flawOf, type Profile } from '../src/profile/profile.ts'
import { recordedHar } from './conformance/replay/recording.ts'
import { blocksOf, isPageScript } from './support/markdown.ts'
import { nonEmpty } from './support/non-empty.ts'
import { freshKey, workflow } from './support/service.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { version } = JSON.parse(read('package.json'))

/** The pages whose blocks are run here. CONTRIBUTING.md and the examples of docs/api have tests of their own. */
const pages = [
  'README.md',
  ...pagesOf(
    'guide-screen',
    'guide-red-run',
    'guide-publish',
    'troubleshooting',
    'mock',
    'msw',
    'client',
    'admin-api',
    'conformance',
    'learn',
    'profile',
    'sessions',
    'compare',
    'limits',
  ),
]
const blocks = pages.flatMap((page) => blocksOf(read(page)).map((block) => ({ ...block, page })))
const ofLanguage = (wanted: string) => blocks.filter(({ language }) => language === wanted)

function pagesOf(...names: string[]): string[] {
  return names.map((name) => `docs/${name}.md`)
}

let folder: string
let mock: RunningMock
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-pages-'))
  // Inside the package, so that its own name resolves to it, and ignored by Git.
  mkdirSync(join(root, '.vitest/pages'), { recursive: true })
  writeFileSync(join(root, '.vitest/pages/vitest.config.mjs'), 'export default {}')
  mock = await startMock({ approvers: 'instant', docs: join(root, 'dist/docs') })
})
afterAll(async () => {
  await mock.close()
  rmSync(folder, { recursive: true })
  rmSync(join(root, '.vitest/pages'), { recursive: true })
})

interface Ended {
  readonly code: number | null
  readonly printed: string
}

/** Runs a line in a shell to its end or, if a text is named, until it prints that. */
function shell(line: string, until?: string): Promise<Ended> {
  const env = { ...process.env, COUNTERSIGN_PORT: '0', PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` }
  // Its own process group, so that the processes that it starts end with it.
  const child = spawn('sh', ['-c', line], { cwd: folder, env, detached: true })
  return new Promise((resolve) => {
    let printed = ''
    const onData = (data: Buffer) => {
      printed += data
      if (until === undefined || !printed.includes(until)) return
      process.kill(-Number(child.pid))
      resolve({ code: 0, printed })
    }
    child.stdout.on('data', onData)
    child.stderr.on('data', onData)
    child.once('close', (code) => resolve({ code, printed }))
  })
}

/** Returns a documented line as it can be run here: the same command, from this checkout, against a mock on any port. */
function toRunnable(line: string): string {
  return line
    .replaceAll('npx countersign', `node ${join(root, 'cli/countersign.js')}`)
    .replace('npx openapi-typescript', 'openapi-typescript')
    .replace('test_…', freshKey())
    .replace(/https:\/\/…|\$\{\{ vars\.\w+ \}\}/, mock.url)
    .replace('http://127.0.0.1:4010', mock.url)
    .replace(/^curl /, 'curl --silent --show-error --fail ')
}

/** The files that the pages tell their readers to save. */
const saved = pages.flatMap((page) =>
  [...read(page).matchAll(/\bas `([\w.-]+)`[^`]*?:\n\n```\w+\n([\s\S]*?)^```$/gm)].map(([, name = '', text = '']) => ({
    name,
    text,
  })),
)

/** Lines that another program runs: `.ci/run`, or the test of the package. */
const runElsewhere: Readonly<Record<string, string>> = {
  'npm start': '.ci/run',
  'npm test': '.ci/run',
  'mkdir -p ../your-project/vendor && npm pack --pack-destination ../your-project/vendor': 'scripts/package/check.ts',
  [`cd ../your-project && npm install --save-dev ./vendor/countersign-${version}.tgz && git add vendor`]:
    'scripts/package/check.ts',
  'npm ci': '.ci/run',
  'npm install --save-dev vite': 'test/browser/guide.test.ts',
  'npx vite': 'test/browser/guide.test.ts',
}

/** The options of a command that builds documentation, which takes long; undefined for any other. */
const docsOptions = (line: string) => (/^npx countersign docs /.test(line) ? line.match(/--[\w-]+/g) : undefined)

/** Returns a command of the pages that builds documentation with all options of another one, and more if there is one. */
function widest(line: string): string {
  const options = docsOptions(line)
  const all = ofLanguage('sh').flatMap(({ text }) => text.trimEnd().split('\n'))
  const wider = all.filter((one) => options?.every((option) => docsOptions(one)?.includes(option)))
  return wider.toSorted((one, other) => other.length - one.length)[0] ?? line
}

const printedBy = new Map<string, Promise<string>>()

/** Runs a command of a page, and returns its output. A command that several pages have runs only once. */
async function runLine(documented: string): Promise<string> {
  const line = widest(documented)
  // The tests run in any order.
  if (line.includes('countersign-profile/')) {
    await runLine('COUNTERSIGN_API_KEY=test_… npx countersign learn --url https://…')
  }
  const printed = (line.includes('npx countersign') && printedBy.get(line)) || runOnce(line)
  printedBy.set(line, printed)
  return printed
}

async function runOnce(line: string): Promise<string> {
  const elsewhere = runElsewhere[line]
  if (elsewhere !== undefined) {
    expect(read(elsewhere)).toMatch(/npm ci|'pack'|bin\/vite/)
    return ''
  }
  const isServer = /^npx countersign mock/.test(line) && !line.includes(' -- ')
  expect(line, 'no test knows how to run this line').toMatch(
    /^(COUNTERSIGN_API_KEY=\S+ )?npx (countersign|openapi-typescript) |^curl /,
  )
  const ended = isServer ? await shell(`exec ${toRunnable(line)}`, 'is ready at') : await shell(toRunnable(line))
  // Whether everything could be learned depends on milliseconds: a figure of the mock's answers follows its clock.
  const [, promised = '0'] = line.match(/ # exit code (\d)$/) ?? []
  const codes = line.includes('countersign learn') ? [0, 2] : [Number(promised)]
  expect(codes, `${line}\n${ended.printed}`).toContain(ended.code)
  return ended.printed
}

/** Returns a pattern for a line as a page shows it, with any numbers. `…` stands for any text. */
function linePattern(shown: string): RegExp {
  return new RegExp(
    `^${escaped(shown)
      .replaceAll('…', '.*')
      .replaceAll(/\d+(\\\.\d+)?/g, '[\\d.]+')
      .replaceAll(/ +/g, ' +')}$`,
    'm',
  )
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Checks whether an answer is as a page shows it. `…` stands for any text, and a time for any time. */
function isAsShown(shown: unknown, answered: unknown): boolean {
  const pattern = JSON.stringify(shown)
    .replaceAll('http://127.0.0.1:4010', mock.url)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
    .split('…')
    .map(escaped)
    .join('[^"]*')
  return new RegExp(`^${pattern}$`).test(JSON.stringify(answered))
}

test.each(nonEmpty(ofLanguage('sh')))('the commands at $page:$line run', async ({ page, line, text }) => {
  const lines = text.trimEnd().split('\n')
  for (const { name, text } of saved) writeFileSync(join(folder, name), text)
  if (text.includes('session.har')) writeFileSync(join(folder, 'session.har'), await recordedHar())
  let printed = ''
  for (const one of nonEmpty(lines)) printed = await runLine(one)
  const next = blocks[blocks.findIndex((block) => block.page === page && block.line === line) + 1]
  if (next?.language === 'json' && next.text.includes('…')) {
    expect(isAsShown(JSON.parse(next.text), JSON.parse(printed)), printed).toBe(true)
  }
  if (next?.language === 'text') {
    for (const shown of nonEmpty(next.text.trimEnd().split('\n'))) expect(printed).toMatch(linePattern(shown))
  }
  if (text.includes('--out docs-site')) expect(existsSync(join(folder, 'docs-site/index.html'))).toBe(true)
})

test.each(nonEmpty(ofLanguage('yaml')))('the job at $page:$line runs', async ({ text }) => {
  const [job] = Object.values<{ steps: { run?: string; env?: Record<string, string> }[] }>(parse(text))
  for (const { run, env = {} } of nonEmpty((job?.steps ?? []).filter((step) => step.run !== undefined))) {
    const key = 'COUNTERSIGN_API_KEY' in env ? 'COUNTERSIGN_API_KEY=test_… ' : ''
    await runLine(key + run)
  }
})

/** The code that surrounds an example of a page and defines the names that the example assumes. */
const surroundings: readonly [part: string, before: string, after: string][] = [
  ['setupServer(', '', ''],
  ['XMLHttpRequestInterceptor(', '', ''],
  ['createMock(', '', ''],
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

/** Runs a module that may import the package by its name, with Node or a loader for it. */
async function runModule(name: string, text: string, runner: readonly string[] = []): Promise<string> {
  const path = join(root, '.vitest/pages', name)
  writeFileSync(path, text)
  const env = { ...process.env, MOCK_URL: mock.url, API_KEY: freshKey() }
  const { stdout } = await promisify(execFile)(process.execPath, [...runner, path], { cwd: root, env })
  return stdout
}

test.each(nonEmpty(ofLanguage('js').filter((block) => !isPageScript(block))))(
  'the code at $page:$line runs',
  async ({ page, line, text }) => {
    if (text.includes('describeConformance(')) {
      const suite = text.replace("'https://approvals.example'", 'process.env.MOCK_URL')
      expect(suite).not.toBe(text)
      await runModule('suite.test.mjs', suite, ['node_modules/vitest/vitest.mjs', 'run', '--root', '.vitest/pages'])
      return
    }
    const [, before, after] = surroundings.find(([part]) => text.includes(part)) ?? []
    expect(before, 'no test knows what this code takes for granted').toBeDefined()
    const isImport = (one: string) => one.startsWith('import ')
    const lines = text
      .replace('countersign-profile/profile.json', 'examples/like-a-deployment/profile.json')
      .split('\n')
    const module = [...lines.filter(isImport), before, ...lines.filter((one) => !isImport(one)), after]
    const printed = await runModule(`${page.replaceAll('/', '-')}-${line}.mjs`, module.join('\n'))
    const promised = [...text.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm)].map(([, promise]) => promise)
    expect(printed.split('\n')).toEqual(expect.arrayContaining(promised))
  },
)

test.each(nonEmpty(ofLanguage('json')))('the JSON at $page:$line is an answer, a profile or a baseline', ({ text }) => {
  if (/"(locators|answers)"/.test(text)) expect(flawOf(JSON.parse(text))).toBeUndefined()
  else if (text.includes('"entries"')) expect(readBaseline(JSON.parse(text))).toHaveLength(1)
  else expect(Object.keys(JSON.parse(text))).toContain('upload_url')
})

test('every code block of the pages has a language that tests run', () => {
  expect([...new Set(blocks.map(({ language }) => language))].sort()).toEqual([
    'html',
    'js',
    'json',
    'sh',
    'text',
    'yaml',
  ])
})

test('a mock answers as the profile on the page says', async () => {
  const [block] = ofLanguage('json').filter(({ page }) => page === 'docs/profile.md')
  const { fetch } = createMock({ like: JSON.parse(block?.text ?? '') as Profile })
  const headers = { Authorization: 'test_page', 'Content-Type': 'application/json' }
  const body = JSON.stringify(workflow())
  const answer = await fetch('http://mock.test/api/v1/workflows', { method: 'POST', headers, body })
  expect([answer.status, answer.headers.get('Location')]).toEqual([201, '/api/v1/workflows/14'])
  expect(await answer.json()).toEqual({
    workflowId: 14,
    steps: workflow().steps.map(({ name }) => ({ title: name })),
    state: 'LIVE',
    note: expect.anything(),
    created: expect.any(Number),
    requestId: expect.stringMatching(/^[\da-f-]{36}$/),
  })
})

test('a mock serves the documentation at the address that the pages name', async () => {
  expect(read('docs/mock.md')).toContain('`http://127.0.0.1:4010`')
  expect((await fetch(`${mock.url}/docs/`)).status).toBe(200)
})

test('a run costs a deployment what the README says', async () => {
  const [, requests, seconds] = read('README.md').match(/about (\d+) requests, (\d+) seconds/) ?? []
  const [, ...left] =
    read('README.md').match(/\((\d+) workflows, (\d+) executions, (\d+) documents, (\d+) stored/) ?? []
  const key = 'COUNTERSIGN_API_KEY=test_… COUNTERSIGN_API_KEY_2=test_second'
  await shell(toRunnable(`${key} npx countersign conformance --url https://… --report-dir cost`))
  const { requests: sent, leftBehind } = JSON.parse(readFileSync(join(folder, 'cost/report.json'), 'utf8'))
  expect(Math.abs(sent.sent - Number(requests))).toBeLessThan(Number(requests) / 4)
  expect(Math.abs(sent.sent / 5 - Number(seconds))).toBeLessThan(Number(seconds) / 4)
  const kinds = ['workflow', 'execution', 'document', 'object']
  const counted = kinds.map((kind) => leftBehind.filter((item: string) => item.startsWith(`${kind} `)).length)
  expect(counted.map(String)).toEqual(left)
})

test('the README has about 600 words', () => {
  expect(read('README.md').split(/\s+/).length).toBeLessThan(700)
})
