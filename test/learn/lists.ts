const json = { 'content-type': 'application/json' }

/** A list of workflows, the newest last, in a page with their number. */
export const listed = {
  status: 200,
  headers: { ...json, 'total-count': { $: '/answer/total', as: 'text' }, 'x-kept': 'a' },
  body: {
    workflows: {
      $each: '/answer/workflows',
      reversed: true,
      item: {
        id: { $: '0/workflow_id' },
        title: { $: '0/name' },
        text: { $: '0/description' },
        runs: { $: '0/execution_metrics/total' },
        created: { $: '0/created_at' },
      },
    },
    meta: { page: 1, per_page: 25, total: { $: '/answer/total' } },
  },
}

export const executionPaths = [
  '/api/v1/runs/{execution_id}',
  '/api/v1/workflows/{workflow_id}/executions/{execution_id}',
]

/** A single execution, and the answer that says where it is. */
export const single = {
  status: 200,
  headers: json,
  body: { run: { $: '/answer/execution_id' }, document: { $: '/answer/document_id' } },
}
export const started = {
  status: 202,
  headers: { ...json, location: { $text: [{ $: '/base' }, '/api/v1/runs/', { $: '/answer/execution_id' }] } },
  body: { run: { $: '/answer/execution_id' }, of: { $: '/answer/workflow_id' } },
}
