import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentedCalls, documentedOptions } from './support/doc-examples.ts'
import { blocksOf, isPageScript } from './support/markdown.ts'
import { nonEmpty } from './support/non-empty.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const options = documentedOptions()
const calls = documentedCalls()

/** A folder in which the package and its peers are installed. */
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-examples-'))
  mkdirSync(join(folder, 'docs-site'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default {}')
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
})
afterAll(() => rmSync(folder, { recursive: true }))

async function node(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder })
  return stdout
}

const mockInScope = "import { createMock } from 'countersign'\nconst mock = createMock()\n"
const scopeOf = (name: string) => (name === 'Mock.fetch' || name === 'Mock.journal' ? mockInScope : '')

const inTests = ['describeConformance', 'recordReads']
const scripts = calls.filter(({ name }) => !inTests.includes(name))

test('the examples of calls run, and print what their comments say', async () => {
  for (const { name, example = '' } of nonEmpty(scripts)) {
    writeFileSync(join(folder, `${name}.mjs`), scopeOf(name) + example)
  }
  // One process runs all of them, one after the other.
  const imports = scripts.map(({ name }) => `console.log('${mark}${name}')\nawait import('./${name}.mjs')`)
  writeFileSync(join(folder, 'calls.mjs'), [...imports, 'process.exit()'].join('\n'))
  const printed = await node('calls.mjs')
  for (const { name, example = '' } of nonEmpty(scripts)) {
    const [, own = ''] = printed.split(`${mark}${name}\n`)
    const promised = [...example.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm)].map(([, text]) => text)
    expect(own.split(mark)[0]?.split('\n'), name).toEqual(expect.arrayContaining(promised))
  }
})

const mark = 'example of '

test('the examples of calls in tests run', async () => {
  for (const { name, example = '' } of nonEmpty(calls.filter((one) => inTests.includes(one.name)))) {
    const more = name === 'recordReads' ? "\nimport { test } from 'vitest'\ntest('runs', () => {})" : ''
    writeFileSync(join(folder, `${name}.test.mjs`), example + more)
  }
  await node(join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...inTests)
})

const typeImports = [...new Set(options.map(({ entry }) => entry))].map((entry) => {
  const names = new Set(options.filter((one) => one.entry === entry).map(({ name }) => typeOf(name)))
  return `import type { ${[...names].join(', ')} } from '${entry}'`
})

/** The type that users see; the suite's options are all of one type. */
function typeOf(name: string): string {
  const type = name.split('.')[0] ?? ''
  return /^(Run|Safety|Target|Transport)Options$/.test(type) ? 'ConformanceOptions' : type
}

/** What the examples of pages name and do not define. */
const namesInScope = `
import type { paths } from 'countersign/types'
import type { UploadProgress, WorkflowExecution } from 'countersign/client'
declare global {
  const baseUrl: string
  const apiKey: string
  const workflow: paths['/api/v1/workflows']['post']['requestBody']['content']['application/json']
  const file: File
  const signal: AbortSignal
  const onProgress: (progress: UploadProgress) => void
  const onUpdate: (execution: WorkflowExecution) => void
}`

test('the examples of calls, options and pages compile as TypeScript', async () => {
  const inFolder = join(folder, 'as-typescript')
  mkdirSync(inFolder)
  const write = (name: string, text: string) => writeFileSync(join(inFolder, name), text)
  const lines = options.map(({ name, example }) => `  ${example} satisfies Partial<${typeOf(name)}>,`)
  const all = [...typeImports, "import { createMock } from 'countersign'", 'export const all = [', ...lines, ']']
  write('options.ts', all.join('\n'))
  for (const { name, example = '' } of calls) {
    write(`${name}.ts`, scopeOf(name) + example)
  }
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
  for (const page of ['README.md', ...nonEmpty(pages).map((name) => `docs/${name}`)]) {
    for (const block of blocksOf(readFileSync(join(root, page), 'utf8'))) {
      const { language, line, text } = block
      if (isPageScript(block)) continue
      if (/^[jt]sx?$/.test(language) && text.includes("from 'countersign")) {
        write(`${page.replaceAll(/\W/g, '-')}-${line}.ts`, text)
      }
    }
  }
  write('names.d.ts', namesInScope)
  const lenient = { noUncheckedIndexedAccess: false, noUnusedLocals: false }
  const compilerOptions = { ...lenient, types: ['node'], outDir: 'out', rootDir: '.' }
  write('tsconfig.json', JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: ['*'] }))
  await expect(node(join(root, 'node_modules/typescript/bin/tsc'), '-p', inFolder)).resolves.toBe('')
})

/** Makes a module that uses an option; `options` is its example. */
const uses: Readonly<Record<string, string>> = {
  MockOptions: 'createMock(options).advance(1)',
  AdminGuardOptions: 'createMock({ admin: options }).advance(1)',
  // Its store does not exist.
  'StartOptions.objects': 'JSON.stringify(options)',
  StartOptions: 'await (await startMock(options)).close()',
  PatienceOptions: 'await (await startMock({ patience: options })).close()',
  HandlerOptions: 'handlers(options)',
  ClientOptions: 'createClient({ baseUrl, ...options })',
  UploadOptions: 'await client.uploadDocument(file, options)',
  RetryOptions: 'await client.uploadDocument(file, { retry: options })',
  WaitOptions: 'await client.waitForExecution(execution, options)',
  TrackOptions: 'trackReads(options).stop()',
  // It is called in tests alone.
  RecordOptions: 'JSON.stringify(options)',
  ConformanceOptions: 'JSON.stringify(options)',
}

test('the examples of options run', async () => {
  const blocks = options.map(
    ({ name, example }) => `{\n  const options = ${example}\n  ${uses[name] ?? uses[typeOf(name)]}\n}`,
  )
  const text = `
import { createMock } from 'countersign'
import { createClient, dataOf } from 'countersign/client'
import { handlers } from 'countersign/msw'
import { startMock } from 'countersign/node'
import { trackReads } from 'countersign/reads'

const baseUrl = 'https://approvals.example'
const client = createClient({ baseUrl, apiKey: 'test_a', fetch: createMock({ approvers: 'instant' }).fetch })
const file = new File(['Hello'], 'hello.txt')
const approvers = [{ email: 'lena@example.com', name: 'Lena' }]
const steps = [{ step_id: 'a', name: 'A', order: 1, type: 'approval', approvers, estimated_duration: 60 }]
const { workflow_id } = await dataOf(client.POST('/api/v1/workflows', { body: { name: 'Contract', steps } }))
const { document_id } = await client.uploadDocument(file)
const params = { path: { workflow_id } }
const body = { document_id, submitter_email: 'sam@example.com' }
const execution = await dataOf(client.POST('/api/v1/workflows/{workflow_id}/execute', { params, body }))
${blocks.join('\n')}
process.exit(0)
`
  writeFileSync(join(folder, 'options.mjs'), text)
  await node('options.mjs')
})
