// Generated from src/contract/flow.arazzo.yaml and openapi.yaml by 'npm run generate'; do not edit.
import { check } from 'k6'
import http from 'k6/http'

/** From a workflow and a file to a running execution. The flags of k6 replace the load: `k6 run --vus 20 --duration 2m flow.js`. */
export const options = {
  vus: 5,
  duration: '30s',
  thresholds: {
    checks: ['rate>0.99'],
    http_req_failed: ['rate<0.01'],
    http_req_duration: ['p(95)<500', 'p(99)<1500'],
  },
}

const baseUrl = (__ENV.COUNTERSIGN_URL || 'http://127.0.0.1:4010').replace(/\/$/, '')
export default function approveDocument() {
  // Without a key, each virtual user has a tenant of its own in the mock.
  const apiKey = __ENV.COUNTERSIGN_API_KEY || `test_k6_${__VU}`

  // A workflow of one step (section 4.1).
  const createWorkflowAnswer = http.request(
    'POST',
    `${baseUrl}/api/v1/workflows`,
    JSON.stringify({
      name: 'Supplier contract',
      description: 'Legal reads it.',
      steps: [
        {
          step_id: 'legal',
          name: 'Legal review',
          order: 1,
          type: 'approval',
          approvers: [{ email: 'lena@example.com', name: 'Lena Ortiz' }],
          estimated_duration: 120,
        },
      ],
    }),
    {
      headers: { Authorization: apiKey, 'Content-Type': 'application/json' },
      redirects: 0,
      tags: { name: 'create-workflow' },
    },
  )
  if (
    !check(createWorkflowAnswer, { 'create-workflow: answers 201': ({ status }) => status === 201 }) ||
    !check(createWorkflowAnswer, {
      'create-workflow: name is as expected': (answer) => answer.json('name') === 'Supplier contract',
      'create-workflow: isSequential is as expected': (answer) => answer.json('isSequential') === true,
      'create-workflow: steps.0.step_id is as expected': (answer) => answer.json('steps.0.step_id') === 'legal',
    })
  )
    return
  const workflowId = String(createWorkflowAnswer.json('workflow_id'))

  // Asks where to put the file (section 4.4).
  const requestUploadAnswer = http.request(
    'POST',
    `${baseUrl}/api/v1/upload/`,
    JSON.stringify({ file_name: 'contract.txt', content_type: 'text/plain', file_size: 23 }),
    {
      headers: { Authorization: apiKey, 'Content-Type': 'application/json' },
      redirects: 0,
      tags: { name: 'request-upload' },
    },
  )
  if (
    !check(requestUploadAnswer, { 'request-upload: answers 200': ({ status }) => status === 200 }) ||
    !check(requestUploadAnswer, {
      'request-upload: key has its form': (answer) => /^tenants\/.+\/contract\.txt$/.test(String(answer.json('key'))),
    })
  )
    return
  const uploadUrl = String(requestUploadAnswer.json('upload_url'))
  const sessionId = String(requestUploadAnswer.json('session_id'))
  const key = String(requestUploadAnswer.json('key'))

  // Puts the bytes there, without the key (section 4.5).
  const putFileAnswer = http.request('PUT', uploadUrl, 'We agree to everything.', {
    headers: { 'Content-Type': 'text/plain' },
    redirects: 0,
    tags: { name: 'put-file' },
  })
  if (!check(putFileAnswer, { 'put-file: answers 200': ({ status }) => status === 200 })) return

  // Says that the file is there (section 4.6).
  const confirmUploadAnswer = http.request(
    'POST',
    `${baseUrl}/api/v1/upload/confirm`,
    JSON.stringify({ session_id: sessionId, completed_files: [{ key: key, file_name: 'contract.txt' }] }),
    {
      headers: { Authorization: apiKey, 'Content-Type': 'application/json' },
      redirects: 0,
      tags: { name: 'confirm-upload' },
    },
  )
  if (
    !check(confirmUploadAnswer, { 'confirm-upload: answers 200': ({ status }) => status === 200 }) ||
    !check(confirmUploadAnswer, {
      'confirm-upload: session_id is as expected': (answer) => answer.json('session_id') === sessionId,
    })
  )
    return
  const documentId = String(confirmUploadAnswer.json('document_id'))

  // Starts the approval of the document (section 4.2).
  const executeWorkflowAnswer = http.request(
    'POST',
    `${baseUrl}/api/v1/workflows/${workflowId}/execute`,
    JSON.stringify({
      document_id: documentId,
      submitter_email: 'sam@example.com',
      execution_mode: 'standard',
      priority: 'high',
    }),
    {
      headers: { Authorization: apiKey, 'Content-Type': 'application/json' },
      redirects: 0,
      tags: { name: 'execute-workflow' },
    },
  )
  if (
    !check(executeWorkflowAnswer, { 'execute-workflow: answers 202': ({ status }) => status === 202 }) ||
    !check(executeWorkflowAnswer, {
      'execute-workflow: document_id is as expected': (answer) => answer.json('document_id') === documentId,
      'execute-workflow: steps.0.assignee.email is as expected': (answer) =>
        answer.json('steps.0.assignee.email') === 'lena@example.com',
    })
  )
    return
  const executionId = String(executeWorkflowAnswer.json('execution_id'))

  // Reads details and analytics (section 4.3).
  const readWorkflowAnswer = http.request('GET', `${baseUrl}/api/v1/workflows/${workflowId}`, null, {
    headers: { Authorization: apiKey },
    redirects: 0,
    tags: { name: 'read-workflow' },
  })
  if (
    !check(readWorkflowAnswer, { 'read-workflow: answers 200': ({ status }) => status === 200 }) ||
    !check(readWorkflowAnswer, {
      'read-workflow: workflow_id is as expected': (answer) => answer.json('workflow_id') === workflowId,
      'read-workflow: execution_metrics.total is as expected': (answer) => answer.json('execution_metrics.total') === 1,
      'read-workflow: recent_executions.0.execution_id is as expected': (answer) =>
        answer.json('recent_executions.0.execution_id') === executionId,
    })
  )
    return
}
