import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { runHere } from './support/command.ts'
import { nonEmpty } from './support/non-empty.ts'
import { scratch } from './support/scratch.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const filesIn = (folder: string) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)

const github = new Ajv2020({ strict: false, allErrors: true }).addSchema(
  parse(read('test/github.schema.yaml')),
  'github',
)

/** Returns what GitHub would refuse in a file: what its schema forbids, and outputs of steps that do not exist. */
function errorsIn(kind: 'workflow' | 'action', text: string): string[] {
  const isValid = github.getSchema(`github#/$defs/${kind}`)
  if (!isValid?.(parse(text))) return [github.errorsText(isValid?.errors)]
  const named = [...text.matchAll(/\bsteps\.([a-z-]+)\./g)].map(([, id]) => id)
  return named.flatMap((id) => (text.includes(`id: ${id}\n`) ? [] : `no step ${id}`))
}

const automation = [
  ...filesIn('.github/workflows').map((path) => ['workflow', path] as const),
  ['action', 'action.yml'] as const,
]

test.each(nonEmpty(automation))('GitHub accepts the %s %s', (kind, path) => {
  expect(errorsIn(kind, read(path))).toEqual([])
})

test.each([
  ['action.yml', 'shell: bash', 'shel: bash'],
  ['action.yml', 'shell: bash', ''],
  ['action.yml', 'id: run', 'id: ran'],
  ['workflows/ci.yml', 'runs-on:', 'run-on:'],
  ['workflows/ci.yml', 'contents: read', 'contents: reed'],
  ['workflows/deep.yml', '17 1 * * 0', 'weekly'],
  ['workflows/docs.yml', '- id: pages', '- id: page'],
] as const)('GitHub refuses %s with "%s" as "%s"', (path, from, to) => {
  const kind = path === 'action.yml' ? 'action' : 'workflow'
  const file = kind === 'action' ? path : `.github/${path}`
  expect(errorsIn(kind, read(file).replace(from, to))).not.toEqual([])
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

/** Returns what Docker would refuse: lines without an instruction, commands that are no JSON, and stages that do not exist. */
function dockerfileErrors(text: string): string[] {
  const lines = text.replaceAll(/\\\n/g, '').split('\n')
  const stages = [...text.matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, name]) => name)
  return lines.filter((line) => {
    if (line === '' || line.startsWith('#')) return false
    const [, instruction = '', rest = ''] = line.match(/^([A-Z]+) (\S.*)$/) ?? []
    const [, stage] = rest.match(/--from=(\S+)/) ?? []
    const known = /^(ARG|CMD|COPY|ENTRYPOINT|EXPOSE|FROM|HEALTHCHECK|RUN|USER|VOLUME|WORKDIR)$/.test(instruction)
    const [, list = '[]'] = rest.match(/(\[.*)$/) ?? []
    return !known || (stage !== undefined && !stages.includes(stage)) || !isJson(list)
  })
}

function isJson(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

test('the Dockerfile is sound, and its program does not run as root', () => {
  expect(dockerfileErrors(read('Dockerfile'))).toEqual([])
  expect(read('Dockerfile')).toMatch(/^USER node$/m)
})

test.each([
  ['WORKDIR', 'WORKDIRS'],
  ['--from=build', '--from=built'],
  ['["countersign"]', "['countersign']"],
  ['RUN npm ci', 'npm ci'],
])('a Dockerfile with "%s" as "%s" is refused', (from, to) => {
  expect(dockerfileErrors(read('Dockerfile').replace(from, to))).toHaveLength(1)
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

/** A dated release has its version in brackets, and its address at the end. */
const changelogLine =
  /^(## (\[?Unreleased\]?|\[?\d+\.\d+\.\d+\]? - \d{4}-\d\d-\d\d)|### (Added|Changed|Deprecated|Removed|Fixed|Security)|- \S.*| {2}\S.*|[A-Z].*|\[.+\]: \S+|)$/

/** Returns the lines after the introduction that are not in the format of Keep a Changelog. */
function changelogErrors(text: string): string[] {
  const lines = text.slice(text.indexOf('\n## ') + 1).split('\n')
  return lines.filter((line) => !changelogLine.test(line))
}

test('the changelog is in its format, and about the version in hand', () => {
  const changelog = read('CHANGELOG.md')
  const { version } = JSON.parse(read('package.json')) as { version: string }
  expect(changelogErrors(changelog)).toEqual([])
  expect(/^## \[?Unreleased\]?$/m.test(changelog) || changelog.includes(`## [${version}] - `)).toBe(true)
  expect(read('README.md')).toContain(`countersign-${version}.tgz`)
})

test.each([
  ['## Unreleased', '## Unrelease'],
  ['### Added', '### Additions'],
  ['\n- ', '\n* '],
])('a changelog with "%s" as "%s" is refused', (from, to) => {
  expect(changelogErrors(read('CHANGELOG.md').replace(from, to))).toHaveLength(1)
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
