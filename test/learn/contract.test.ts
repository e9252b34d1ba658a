import openapiTS, { astToString } from 'openapi-typescript'
import { expect, test } from 'vitest'
import { gapIds } from '../../conformance/catalogue/catalogue.ts'
import { overlayOf } from '../../conformance/learning/overlay.ts'
import type { Node } from '../../scripts/contract.ts'
import { applyOverlay, learnedContract, readContract } from '../../src/learn/contract.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { deployment, lesson } from './deployment.ts'

const learned = async (profile = deployment): Promise<Node> =>
  learnedContract(await readContract(), profile, lesson).contract
/** Returns the answers to the creation of a workflow, in the contract of a profile. */
const creations = async (profile = deployment): Promise<Node> =>
  (await learned(profile)).paths['/api/v1/workflows'].post.responses

test('a learned answer has its status, media type, headers and an example', async () => {
  const responses = await creations()
  expect(Object.keys(responses)).toEqual(['200', '403', '413', '415', '422', '429', '507'])
  expect(responses['200']).toMatchObject({
    'x-seen': 3,
    'x-gap': ['gap.success-statuses', 'gap.workflow-response'],
    headers: { 'X-Request-Id': { schema: { type: 'string' }, example: expect.stringMatching(/^[\da-f-]{36}$/) } },
    content: {
      'application/vnd.api+json': {
        examples: { success: { value: { kind: 'workflow', id: 41, steps: { legal: { title: 'Legal review' } } } } },
      },
    },
  })
})

test('a refusal that is now a page and now JSON is shown as what it is', async () => {
  const page = '<!DOCTYPE html><title>Error</title>'
  const mixed = {
    status: 400,
    headers: { 'content-type': 'text/html' },
    text: { $if: '/problem/about', absent: page },
    body: { $if: '/problem/about', present: { code: { $: '/problem/code' } } },
  }
  const { content } = (await creations({ ...deployment, refusals: { 'invalid-json': mixed } }))['400']
  expect(content).toMatchObject({ 'text/html': { examples: { 'invalid-json': { value: page } } } })
})

test('the learned contract has the calls that only the deployment has', async () => {
  const { paths } = await learned()
  const schemaOf = (path: string) => paths[path].get.responses['200'].content['application/json'].schema
  expect(schemaOf('/api/v1/workflows')).toMatchObject({
    properties: { items: { items: { properties: { title: { type: 'string' } } } }, total: { type: 'integer' } },
  })
  expect(schemaOf('/api/v1/executions/{execution_id}').properties.run).toMatchObject({ type: 'string' })
  const names = paths['/api/v1/workflows/{workflow_id}/executions/{execution_id}'].parameters
  expect(names.map((one: Node) => one.name ?? one.$ref)).toEqual([
    '#/components/parameters/workflow_id',
    'execution_id',
  ])
  expect(paths['/api/v1/workflows'].get.responses).toHaveProperty('403')
})

test('a schema follows the template: constants, bound values, lists, maps and options', async () => {
  const { schema } = (await creations())['200'].content['application/vnd.api+json']
  expect(schema).toMatchObject({
    type: 'object',
    // Of three answers; 'note' was not in all of them.
    required: ['kind', 'region', 'id', 'state', 'total', 'since', 'tags', 'people', 'steps', 'parent'],
    properties: {
      kind: { type: 'string', const: 'workflow' },
      region: { type: 'string' },
      id: { type: 'integer' },
      state: { type: 'string', enum: ['active'] },
      total: { type: 'integer' },
      since: { type: 'integer' },
      tags: { type: 'array' },
      people: { type: 'array', items: { type: 'array', items: { type: 'string', format: 'email' } } },
      steps: { type: 'object', additionalProperties: { properties: { title: { type: 'string' } } } },
      note: { type: 'string' },
      parent: { description: 'Only null was seen.' },
    },
  })
  expect(schema.properties.region).not.toHaveProperty('const')
})

test('nothing is required because it was seen once', async () => {
  const { responses } = (await learned()).paths['/api/v1/workflows/{workflow_id}'].get
  const { schema } = responses['200'].content['application/json']
  expect(schema.properties.rate).toEqual(expect.objectContaining({ type: ['number', 'null'] }))
  expect(JSON.stringify(schema)).not.toContain('"required":[')
  expect(JSON.stringify(overlayOf(deployment))).not.toContain('"required":[')
})

test('every change names open questions, and how often its answers were seen', async () => {
  const { overlay } = learnedContract(await readContract(), deployment, lesson)
  const { actions } = overlay
  for (const action of nonEmpty(actions)) {
    expect(gapIds, action.target).toEqual(expect.arrayContaining([...nonEmpty(action['x-gap'])]))
    if (action.target.startsWith('$.paths') && action.target.includes('.responses'))
      expect(action['x-seen'], action.target).toBeGreaterThan(0)
  }
})

test('a target that the contract does not have is an error', () => {
  const action = { target: '$.paths.none', description: '', remove: true as const, 'x-gap': [] }
  expect(() => applyOverlay({ paths: {} }, { actions: [action] })).toThrow('does not have $.paths.none')
  expect(() => applyOverlay({}, { actions: [{ ...action, target: '$..x' }] })).toThrow('$..x is not known')
})

test('openapi-typescript makes types of the written contract', async () => {
  const types = astToString(await openapiTS(await learned()))
  expect(types).toMatch(/kind: "workflow"/)
  expect(types).toMatch(/note\?: string/)
})
