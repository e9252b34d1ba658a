import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { describeChanges, judgeVersion } from '../../scripts/compatibility.ts'
import { type Node, readYaml } from '../../scripts/contract.ts'
import { lastRelease } from '../../scripts/contract-history.ts'
import { changesBetween } from '../../scripts/redocly.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { scratch } from '../support/scratch.ts'

/** Returns the breaking changes that these edits of the contract cause. */
async function breaksOf(...edits: readonly ((contract: Node, schemas: Node) => void)[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'))
  const contract = readYaml('openapi.yaml')
  const write = (name: string) => {
    const path = join(folder, name)
    writeFileSync(path, stringify(contract, { aliasDuplicateObjects: false }))
    return path
  }
  const before = write('before.yaml')
  for (const edit of edits) edit(contract, contract.components.schemas)
  const { breaks } = describeChanges(await changesBetween(before, write('after.yaml')))
  rmSync(folder, { recursive: true })
  return breaks
}

const without = (names: string[], name: string) => names.filter((other) => other !== name)

test('each breaking change is one sentence', async () => {
  const breaks = await breaksOf(
    ({ paths }) => {
      delete paths['/api/v1/upload/confirm']
    },
    (_, { Upload }) => {
      delete Upload.properties.key
      Upload.required = without(Upload.required, 'key')
    },
    (_, { ExecutionRequest }) => ExecutionRequest.required.push('priority'),
    (_, { ExecutionRequest }) => {
      ExecutionRequest.properties.priority.enum = ['normal', 'high']
    },
    (_, { Execution }) => Execution.properties.status.enum.push('paused'),
    (_, { UploadRequest }) => {
      UploadRequest.properties.file_name.maxLength = 10
    },
    (_, { UploadRequest }) => {
      UploadRequest.properties.file_size.type = 'string'
    },
    (_, { Bottleneck }) => {
      Bottleneck.properties.estimate_ratio.type = ['number', 'null']
    },
    (_, { Step }) => Step.properties.type.enum.push('review'),
    (_, { WorkflowRequest }) => {
      WorkflowRequest.properties.isSequential.default = false
    },
    (_, { Step }) => {
      Step.properties.approvers['x-unique-by'] = 'email'
    },
    ({ paths }) => {
      const { responses } = paths['/api/v1/upload/'].post
      responses['201'] = responses['200']
      delete responses['200']
    },
  )
  expect(breaks.sort()).toEqual(
    [
      'Path `/api/v1/upload/confirm` was removed.',
      'Property `key` of `Upload` was removed.',
      'Properties of `Upload` are no longer required: `key`.',
      'Properties of `ExecutionRequest` became required: `priority`.',
      "Enum of `priority` lost values: 'low'.",
      "Enum of `status` gained values: 'paused'.",
      "`maxLength` of `file_name` changed from '255' to '10'.",
      "Type of `file_size` narrowed from 'integer' to 'string'.",
      "Type of `estimate_ratio` widened from 'number' to 'number | null'.",
      "Enum of `type` gained values: 'review'.",
      "`default` of `isSequential` changed from 'true' to 'false'.",
      "`x-unique-by` of `approvers` changed from 'none' to 'email'.",
      'Response `200` became `201`.',
    ].sort(),
  )
})

test('additions are not breaking changes', async () => {
  const breaks = await breaksOf(
    ({ info }) => {
      info.description = 'Other words.'
    },
    ({ paths }) => {
      paths['/api/v1/more'] = { get: { operationId: 'more', summary: 'More', responses: {} } }
    },
    (_, { Upload }) => {
      Upload.properties.more = { type: 'string' }
    },
    (_, { ExecutionRequest }) => {
      ExecutionRequest.properties.more = { type: 'string' }
      ExecutionRequest.properties.execution_mode.enum.push('express')
    },
    (_, { UploadRequest }) => {
      UploadRequest.properties.file_name.maxLength = 1000
    },
    (_, { WorkflowRequest }) => {
      delete WorkflowRequest.properties.steps['x-unique-by']
    },
    ({ paths }) => {
      paths['/api/v1/upload/'].post.responses['503'] = { $ref: '#/components/responses/InvalidRequest' }
    },
  )
  expect(breaks).toEqual([])
})

/** Creates a repository whose commits have these tags, in this order. Returns its folder. */
function repositoryOf(...commits: readonly (readonly string[])[]): string {
  const root = scratch()
  const inRoot = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe' })
  const author = ['-c', 'user.name=test', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']
  inRoot('init', '-q')
  for (const tags of nonEmpty(commits)) {
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

test.each([
  [[], '0.1.0', '0.1.0', true],
  [['x'], '0.1.0', '0.1.9', false],
  [['x'], '0.1.0', '0.2.0', true],
  [['x'], '0.1.0', '1.0.0', true],
  [['x'], '1.2.3', '1.3.0', false],
  [['x'], '1.2.3', '2.0.0-rc.1', true],
  [['x'], '9.0.0', '10.0.0', true],
])('after %j the version may go from %s to %s: %s', (breaks, before, now, accepted) => {
  expect(judgeVersion(breaks, before, now).accepted).toBe(accepted)
})
