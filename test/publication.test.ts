import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser'
import { parseAction } from '@actions/workflow-parser/actions/action-parser'
import { validate } from 'dockerfile-utils'
import { parser } from 'keep-a-changelog'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { runHere } from './support/command.ts'
import { nonEmpty } from './support/non-empty.ts'
import { scratch } from './support/scratch.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const filesIn = (folder: string) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)

type Parser = typeof parseWorkflow | typeof parseAction

/** Returns what GitHub's own parser finds wrong in a file. */
function errorsIn(path: string, parseFile: Parser): string[] {
  const { context } = parseFile({ name: path, content: read(path) }, new NoOperationTraceWriter())
  return context.errors.getErrors().map(({ message }) => message)
}

test.each(nonEmpty(filesIn('.github/workflows')))("GitHub's parser accepts %s", (path) => {
  expect(errorsIn(path, parseWorkflow)).toEqual([])
})

test("GitHub's parser accepts the action, and refuses a wrong one", () => {
  expect(errorsIn('action.yml', parseAction)).toEqual([])
  const wrong = read('action.yml').replace('shell: bash', 'shel: bash')
  const { context } = parseAction({ name: 'action.yml', content: wrong }, new NoOperationTraceWriter())
  expect(context.errors.getErrors()).not.toEqual([])
})

test('each input of the action is used, and each output comes from its script', () => {
  const text = read('action.yml')
  const { inputs, outputs } = parse(text) as Record<'inputs' | 'outputs', Record<string, unknown>>
  for (const name of nonEmpty(Object.keys(inputs))) expect(text).toContain(`inputs.${name}`)
  for (const name of nonEmpty(Object.keys(outputs))) expect(read('.github/action/run.sh')).toContain(`\`${name}=`)
})

test('no step of the action puts an input into its script', () => {
  const { runs } = parse(read('action.yml')) as { runs: { steps: { run?: string }[] } }
  for (const { run = '' } of nonEmpty(runs.steps)) expect(run).not.toContain('${{')
})

test('the Dockerfile is sound, and its program does not run as root', () => {
  expect(validate(read('Dockerfile'))).toEqual([])
  expect(read('Dockerfile')).toMatch(/^USER node$/m)
})

interface Service {
  readonly command?: readonly string[]
  readonly depends_on?: Readonly<Record<string, unknown>>
}

test('the compose file has commands and flags that exist, and its own services', async () => {
  const { services } = parse(read('examples/team/compose.yaml')) as { services: Readonly<Record<string, Service>> }
  const commands = Object.values(services).flatMap(({ command }) => (command ? [command] : []))
  for (const command of nonEmpty(commands)) {
    const words = command.filter((word) => /^[a-z]+$/.test(word))
    const { code, stdout } = await runHere([...words, '--help'])
    expect(code).toBe(0)
    expect(command.filter((word) => word.startsWith('--') && !stdout.includes(`${word} `))).toEqual([])
  }
  const needed = Object.values(services).flatMap(({ depends_on: names = {} }) => Object.keys(names))
  for (const name of nonEmpty(needed)) expect(Object.keys(services)).toContain(name)
})

test('the compose file and the page on deploying set nginx up alike', () => {
  const serverIn = (text: string) => text.match(/^server \{[\s\S]*?^\}/m)?.[0]
  const server = serverIn(read('examples/team/nginx.conf'))
  expect(server).toBeDefined()
  expect(serverIn(read('docs/deploying.md'))).toBe(server)
})

test('a release names the repository that publishes it', () => {
  const { jobs } = parse(read('.github/workflows/release.yml')) as {
    jobs: Record<string, { steps: { run?: string }[] }>
  }
  const naming = Object.values(jobs).flatMap(({ steps }) =>
    steps.flatMap(({ run = '' }) => (run.includes('npm pkg set') ? [run] : [])),
  )
  const folder = scratch()
  writeFileSync(join(folder, 'package.json'), read('package.json'))
  for (const run of nonEmpty(naming)) {
    const env = { ...process.env, HERE: 'https://git.example/someone/countersign' }
    execFileSync('bash', ['-c', run], { cwd: folder, env })
  }
  const { repository, homepage, bugs } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  expect(repository).toEqual({ type: 'git', url: 'git+https://git.example/someone/countersign.git' })
  expect(homepage).toBe('https://git.example/someone/countersign#readme')
  expect(bugs).toEqual({ url: 'https://git.example/someone/countersign/issues' })
})

test('the changelog can be read, and is about the version in hand', () => {
  const { releases } = parser(read('CHANGELOG.md'))
  const { version } = JSON.parse(read('package.json')) as { version: string }
  expect(releases.map((release) => release.version ?? version)).toContain(version)
  expect(read('README.md')).toContain(`countersign-${version}.tgz`)
})

test('the command of docs/releases.md dates the unreleased changes', () => {
  const [, command = ''] = read('docs/releases.md').match(/`npx changelog ([^`]+)`/) ?? []
  const values: Record<string, string> = { VERSION: '9.8.7', ADDRESS: 'https://git.example/countersign' }
  const flags = command.split(' ').map((word) => values[word] ?? word)
  const folder = scratch()
  writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n### Added\n- A thing.\n')
  const program = join(root, 'node_modules/keep-a-changelog/bin.js')
  execFileSync(process.execPath, [program, ...flags], { cwd: folder })
  const dated = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')
  expect(dated).toMatch(/^## \[9\.8\.7\] - \d{4}-\d\d-\d\d$/m)
  expect(dated).toContain('https://git.example/countersign')
})

test.each(nonEmpty(filesIn('.github/ISSUE_TEMPLATE').filter((path) => !path.endsWith('config.yml'))))(
  'each field of %s has an id and a label',
  (path) => {
    const { name, description, body } = parse(read(path)) as {
      name: string
      description: string
      body: { id: string; attributes: { label: string } }[]
    }
    expect(name && description).toBeTruthy()
    for (const { id, attributes } of nonEmpty(body)) expect(id && attributes.label).toBeTruthy()
  },
)
