import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { describeChanges } from '../../scripts/compatibility.ts'
import { type Node, readYaml } from '../../scripts/contract.ts'
import { lastRelease } from '../../scripts/contract-history.ts'
import { changesBetween } from '../../scripts/redocly.ts'
import { scratch } from '../support/scratch.ts'

/** Returns the breaking changes that these edits of the contract cause. */
async function breaksOf(edits: readonly Edit[]): Promise<string[]> {
  const folder = scratch()
  const contract = readYaml('openapi.yaml')
  const write = (name: string) => {
    const path = join(folder, name)
    writeFileSync(path, stringify(contract, { aliasDuplicateObjects: false }))
    return path
  }
  const before = write('before.yaml')
  for (const edit of edits) edit(contract, contract.components.schemas)
  return describeChanges(await changesBetween(before, write('after.yaml'))).breaks
}

const without = (names: string[], name: string) => names.filter((other) => other !== name)

type Edit = (contract: Node, schemas: Node) => void

/** Breaking changes, each with its sentences. */
const breaking: readonly (readonly [edit: Edit, ...sentences: string[]])[] = [
  [({ paths }) => delete paths['/api/v1/upload/confirm'], 'Path `/api/v1/upload/confirm` was removed.'],
  [
    (_, { Upload }) => {
      delete Upload.properties.key
      Upload.required = without(Upload.required, 'key')
    },
    ...['Property `key` of `Upload` was removed.', 'Properties of `Upload` are no longer required: `key`.'],
  ],
  [
    (_, { ExecutionRequest: { required } }) => required.push('priority'),
    'Properties of `ExecutionRequest` became required: `priority`.',
  ],
  [
    (_, { ExecutionRequest: { properties } }) => Object.assign(properties.priority, { enum: ['normal', 'high'] }),
    "Enum of `priority` lost values: 'low'.",
  ],
  [
    (_, { Execution: { properties } }) => properties.status.enum.push('paused'),
    "Enum of `status` gained values: 'paused'.",
  ],
  [
    (_, { UploadRequest: { properties } }) => Object.assign(properties.file_name, { maxLength: 10 }),
    "`maxLength` of `file_name` changed from '255' to '10'.",
  ],
  [
    (_, { UploadRequest: { properties } }) => Object.assign(properties.file_size, { type: 'string' }),
    "Type of `file_size` narrowed from 'integer' to 'string'.",
  ],
  [
    (_, { Bottleneck: { properties } }) => Object.assign(properties.estimate_ratio, { type: ['number', 'null'] }),
    "Type of `estimate_ratio` widened from 'number' to 'number | null'.",
  ],
  [(_, { Step: { properties } }) => properties.type.enum.push('review'), "Enum of `type` gained values: 'review'."],
  [
    (_, { WorkflowRequest: { properties } }) => Object.assign(properties.isSequential, { default: false }),
    "`default` of `isSequential` changed from 'true' to 'false'.",
  ],
  [
    (_, { Step: { properties } }) => Object.assign(properties.approvers, { 'x-unique-by': 'email' }),
    "`x-unique-by` of `approvers` changed from 'none' to 'email'.",
  ],
  [
    ({ paths }) => {
      const { responses } = paths['/api/v1/upload/'].post
      responses['201'] = responses['200']
      delete responses['200']
    },
    'Response `200` became `201`.',
  ],
]

test('each breaking change is one sentence', async () => {
  const breaks = await breaksOf(breaking.map(([edit]) => edit))
  expect(breaks.sort()).toEqual(breaking.flatMap(([, ...sentences]) => sentences).sort())
})

test('additions are not breaking changes', async () => {
  const breaks = await breaksOf([
    ({ info, paths }, { Upload, ExecutionRequest, UploadRequest, WorkflowRequest }) => {
      info.description = 'Other words.'
      paths['/api/v1/more'] = { get: { operationId: 'more', summary: 'More', responses: {} } }
      paths['/api/v1/upload/'].post.responses['503'] = { $ref: '#/components/responses/InvalidRequest' }
      Upload.properties.more = { type: 'string' }
      ExecutionRequest.properties.more = { type: 'string' }
      ExecutionRequest.properties.execution_mode.enum.push('express')
      UploadRequest.properties.file_name.maxLength = 1000
      delete WorkflowRequest.properties.steps['x-unique-by']
    },
  ])
  expect(breaks).toEqual([])
})

/** Creates a repository whose commits have these tags, in this order. Returns its folder. */
function repositoryOf(...commits: readonly (readonly string[])[]): string {
  const root = scratch()
  const inRoot = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe' })
  const author = ['-c', 'user.name=test', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']
  inRoot('init', '-q')
  for (const tags of commits) {
    inRoot(...author, 'commit', '-q', '--allow-empty', '-m', 'Change')
    for (const tag of tags) inRoot('tag', tag)
  }
  return root
}

test.each([
  ['no tag', [[], []], undefined],
  ['a release and later commits', [['v0.2.0'], []], 'v0.2.0'],
  ['two releases', [['v0.9.0'], ['v0.10.0'], []], 'v0.10.0'],
  ['a release at this commit', [['v0.2.0'], [], ['v0.3.0']], 'v0.2.0'],
  ['only a release at this commit', [[], ['v0.2.0']], undefined],
  ['a later tag that is no release', [['v0.2.0'], ['nightly'], []], 'v0.2.0'],
] as const)('with %s, contract:diff finds the last release', (_, commits, found) => {
  expect(lastRelease(repositoryOf(...commits))).toBe(found)
})
