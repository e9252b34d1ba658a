import type { Profile } from '../../src/profile/profile.ts'

/** A deployment that answers in other shapes than the reference. */
export const deployment: Profile = {
  version: 1,
  learned: { at: '2026-03-01T09:00:00.000Z', answers: 40 },
  approvers: 'manual',
  identifiers: { workflow: { $new: 'counter', from: 41 }, session: { $new: 'uuid' } },
  answers: {
    createWorkflow: {
      status: 200,
      headers: { 'content-type': 'application/vnd.api+json; charset=utf-8', 'x-request-id': { $new: 'uuid' } },
      body: {
        kind: 'workflow',
        region: 'eu-west',
        id: { $: '/answer/workflow_id', as: 'number' },
        state: { $: '/answer/status' },
        total: { $count: '/answer/steps' },
        since: { $time: '/answer/created_at', form: 'seconds' },
        tags: [],
        people: { $each: '/answer/steps', item: { $each: '0/approvers', item: { $: '0/email' } } },
        steps: { $entries: '/answer/steps', key: { $: '0/step_id' }, value: { title: { $: '0/name' } } },
        note: { $if: '/answer/description', present: { $: '/answer/description' } },
        parent: null,
      },
    },
    getWorkflow: {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: { rate: { $: '/answer/execution_metrics/success_rate' }, hint: '</script><b>"&' },
    },
    listWorkflows: {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: { items: { $each: '/answer/workflows', item: { title: { $: '0/name' } } }, total: { $: '/answer/total' } },
    },
    getExecution: {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: { run: { $: '/answer/execution_id' }, waits: { $count: '/answer/steps' } },
    },
  },
  executionPaths: ['/api/v1/executions/{execution_id}', '/api/v1/workflows/{workflow_id}/executions/{execution_id}'],
  refusals: {
    'missing-key': { status: 403, headers: {}, body: { error: { $: '/problem/code' } } },
    'invalid-request': {
      status: 422,
      headers: { 'content-type': 'text/plain' },
      text: { $: '/problem/errors/0/pointer' },
    },
    SignatureDoesNotMatch: { status: { $: '/problem/status' }, headers: {}, text: '<Error/>' },
  },
}

/** How often each of its answers was seen, and what is guessed. */
const seen = {
  'answers/createWorkflow': 3,
  'answers/getWorkflow': 1,
  'refusals/missing-key': 4,
  'refusals/invalid-request': 2,
  'refusals/SignatureDoesNotMatch': 2,
}

export const lesson = { seen, guesses: [{ answer: 'createWorkflow', pointer: '/body/region', why: 'made up' }] }
