import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readYaml } from '../scripts/contract.ts'
import { planCheck } from '../scripts/scaffold/check.ts'
import { planField } from '../scripts/scaffold/field.ts'
import { mark, openPlaces, RefusedError } from '../scripts/scaffold/plan.ts'
import { planRule } from '../scripts/scaffold/rule.ts'
import { nonEmpty } from './support/non-empty.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => (existsSync(root + path) ? readFileSync(root + path, 'utf8') : undefined)
const contract = readYaml('openapi.yaml')
const requirements = readYaml('conformance/catalogue/requirements.yaml')
const unobservable = requirements.find((one: { unobservable?: string }) => one.unobservable).id

/** Files that write or describe the mark, and what is generated from others. */
const excluded =
  /^(scripts\/scaffold\/|test\/(scaffold|tutorial\.slow)\.test\.ts$|docs\/tutorial-|docs\/decisions\/|docs\/mutants\.md$)|\.gen\./

test('no place of the scaffold is left open', () => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
  }).split('\0')
  const places = nonEmpty(files)
    .filter((path) => path !== '' && !excluded.test(path) && existsSync(root + path))
    .flatMap((path) => openPlaces(path, readFileSync(root + path, 'utf8')))
  expect(places, `Fill in what the scaffold left open:\n${places.join('\n')}\n`).toEqual([])
})

test.each([
  ['Workflow.scaffold_probe', false],
  ['Workflow.scaffoldProbe', true],
  ['Step.scaffold_probe', false],
  ['Step.scaffold_probe', true],
])('the field %s, assumed: %s, has its places in all files', (path, isAssumed) => {
  const { edited } = planField(read, contract, path, isAssumed)
  const entry = isAssumed ? 'conformance/catalogue/gaps.yaml' : 'conformance/catalogue/requirements.yaml'
  expect([...edited.keys()]).toEqual(
    expect.arrayContaining([entry, 'openapi.yaml', 'src/http/service/mapping.ts', 'conformance/flow/samples.ts']),
  )
  const [, field = ''] = path.split('.')
  // Request, answer and an example; a step has one schema for both.
  expect(edited.get('openapi.yaml')?.split(`${field}:`).length).toBeGreaterThan(3)
  const places = [...edited].flatMap(([file, text]) => openPlaces(file, text))
  expect(places.length).toBeGreaterThan(2)
})

test('a second field stands beside a first that was formatted', () => {
  const first = planField(read, contract, 'Workflow.scaffold_probe', false).edited
  const path = 'src/http/service/mapping.ts'
  const wrapped = (first.get(path) ?? '').replace(
    'definitionFrom({ scaffold_probe, ',
    'definitionFrom({\n  scaffold_probe,\n  ',
  )
  const edited = planField(
    (one) => (one === path ? wrapped : (first.get(one) ?? read(one))),
    contract,
    'Workflow.second_probe',
    false,
  ).edited
  expect(edited.get(path)).toMatch(/definitionFrom\(\{ second_probe, scaffold_probe,\s/)
})

test('a rule has its places from the question to the error page', () => {
  const { edited } = planRule(read, contract, 'scaffold-probe')
  expect(edited.size).toBe(10)
  expect(edited.get('src/domain/approval/workflow.ts')).toContain('{\n    refuseScaffoldProbe(definition)\n')
})

test('a second rule stands beside the first', () => {
  const first = planRule(read, contract, 'scaffold-probe').edited
  const { edited } = planRule((path) => first.get(path) ?? read(path), contract, 'second-probe')
  const text = edited.get('src/domain/approval/workflow.ts') ?? ''
  expect(text).toMatch(/refuseSecondProbe\(definition\)\s+refuseScaffoldProbe\(definition\)/)
  expect(text.split("from '../errors.ts'")).toHaveLength(2)
})

test.each([
  () => planField(read, contract, 'owner_email', false),
  () => planField(read, contract, 'Workflow.name', false),
  () => planField(read, contract, 'Workflow.status', false),
  () => planField(read, contract, 'Step.order', true),
  () => planField(read, contract, 'Workflow.owner-email', false),
  () => planField(read, contract, 'Nothing.at_all', false),
  () => planField(read, contract, 'toString.owner', false),
  () => planRule(read, contract, 'Owner approves'),
  () => planRule(read, contract, 'file-name-mismatch'),
  () => planRule(read, contract, 'max-steps'),
  () => planCheck(read, contract, requirements, 'workflow'),
  () => planCheck(read, contract, requirements, 'workflow.none'),
  () => planCheck(read, contract, requirements, 'workflow.name'),
  () => planCheck(read, contract, requirements, unobservable),
])('%#: a name that exists or is none is refused', (plan) => {
  expect(plan).toThrow(RefusedError)
  expect(plan).toThrow(/^[^\n]+\. (Write|Use|Choose|Add|Remove|Change) [^\n]+\.$/)
})

test('an open place is named by its file and line', () => {
  expect(openPlaces('a.ts', `one\n  // ${mark} the words.`)).toEqual([`a.ts:2: ${mark} the words.`])
})
