import type { ServerFunction } from '../../../conformance/selftest/wrapper.ts'

const origin = 'http://selftest.test'
const key = 'test_transcript'
const raw = { Authorization: key }

interface Seen {
  readonly call: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

const step = (label: string, order: number) => ({
  step_id: `${label}-review`,
  name: `Review by ${label}`,
  order,
  type: 'approval',
  approvers: [
    { email: `${label}.first@example.com`, name: `First of ${label}` },
    { email: `${label}.second@example.com`, name: `Second of ${label}` },
  ],
  estimated_duration: 30 * order,
})

const workflow = {
  name: 'a-quite-ordinary-name',
  description: 'A text & more.',
  isSequential: true,
  steps: [step('legal', 1), step('board', 2)],
}

/** Returns all answers of a server to fixed requests: the documented flow, and requests that mutants answer wrongly. */
export async function transcript(fetch: ServerFunction): Promise<string> {
  const seen: Seen[] = []

  async function send(call: string, url: string, method: string, headers: Record<string, string>, body?: BodyInit) {
    if (!URL.canParse(url)) return { ok: false, json: {} }
    const response = await fetch(
      new Request(url, { method, headers, redirect: 'manual', ...(body !== undefined && { body }) }),
    )
    const text = (await response.text()).replace(/<RequestId>[^<]*/, '')
    const answer: Seen = { call, status: response.status, headers: Object.fromEntries(response.headers), text }
    seen.push(answer)
    try {
      return { ok: answer.status < 300, json: JSON.parse(answer.text) }
    } catch {
      return { ok: answer.status < 300, json: {} }
    }
  }
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = raw) =>
    send(
      `${method} ${path}`,
      origin + path,
      method,
      { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      body === undefined ? undefined : JSON.stringify(body),
    )
  const create = (change: object = {}, headers?: Record<string, string>) =>
    call('POST', '/api/v1/workflows', { ...workflow, ...change }, headers)

  const first = (await create()).json.workflow_id
  const second = (
    await create({ name: 'a-second-name', isSequential: undefined, steps: [step('legal', 1), step('finance', 2)] })
  ).json.workflow_id
  const reversed = [...workflow.steps].reverse()
  const third = (await create({ name: 'in no order', isSequential: false, steps: reversed })).json.workflow_id
  const fourth = (await create({ name: 'in another order', steps: reversed })).json.workflow_id
  for (const length of [100, 101, 102, 200, 300]) await create({ name: 'n'.repeat(length) })
  await create({ name: 'é'.repeat(100) })
  await create({ name: '𝄞'.repeat(100) })
  await create({ description: 'with <b>markup</b>' })
  for (const id of [first, second, 'wf_unknown']) await call('GET', `/api/v1/workflows/${id}`)
  await call('GET', `/api/v1/workflows/${first}`, undefined, { ...raw, 'Content-Type': 'application/json' })

  const documents: string[] = []
  const names = ['A Report With Spaces.PDF', 'plain.pdf', 'plain.pdf']
  for (const [place, file_name] of names.entries()) {
    const bytes = new Uint8Array(256 + 1000 * place).map((_, index) => index)
    const content_type = 'application/pdf'
    const { json: upload } = await call('POST', '/api/v1/upload/', {
      file_name,
      content_type,
      file_size: bytes.byteLength,
    })
    const other = (
      await call('POST', '/api/v1/upload/', { file_name: `other ${file_name}`, content_type, file_size: 4 })
    ).json
    const session_id = upload.session_id
    const confirmation = { session_id, completed_files: [{ key: upload.key, file_name }] }
    await call('POST', '/api/v1/upload/confirm', confirmation)
    await call('POST', '/api/v1/upload/confirm', {
      ...confirmation,
      session_id: '3c0e9f6a-51d2-4b7e-9a44-6f1d2f0c8b11',
    })
    const url = String(upload.upload_url)
    await send('PUT text', String(other.upload_url), 'PUT', { 'Content-Type': 'text/plain' }, 'text')
    await send('PUT short', url, 'PUT', { 'Content-Type': content_type }, 'text')
    await send('PUT without signature', url.split('?')[0] ?? '', 'PUT', { 'Content-Type': content_type }, bytes)
    await send('PUT with key', url, 'PUT', { ...raw, 'Content-Type': content_type }, bytes)
    await send('PUT', url, 'PUT', { 'Content-Type': content_type }, bytes)
    await send('GET', url, 'GET', {})
    const { json: document } = await call('POST', '/api/v1/upload/confirm', confirmation)
    await call('POST', '/api/v1/upload/confirm', confirmation)
    documents.push(document.document_id)
    await call('POST', '/api/v1/upload/confirm', confirmation, {})
  }

  for (const id of [second, first, third, fourth]) {
    for (const document_id of documents) {
      await call('POST', `/api/v1/workflows/${id}/execute`, {
        document_id,
        submitter_email: 'sam@example.com',
        execution_mode: 'standard',
        priority: 'high',
      })
    }
  }
  await call(
    'POST',
    `/api/v1/workflows/${first}/execute`,
    { document_id: documents[0], submitter_email: 'sam@example.com' },
    {},
  )
  const idle = (await create({ name: 'never executed' })).json.workflow_id
  for (const id of [first, second, idle]) await call('GET', `/api/v1/workflows/${id}`)
  await call('GET', `/api/v1/workflows/${first}`, undefined, {})
  await create({}, {})
  await call('POST', '/api/v1/upload/', { file_name: 'x', content_type: 'text/plain', file_size: 1 }, {})
  for (const wrong of ['test_transformed', 'test_other', `Bearer ${key}`]) {
    await call('GET', `/api/v1/workflows/${first}`, undefined, { Authorization: wrong })
  }
  await send(
    'text',
    `${origin}/api/v1/workflows`,
    'POST',
    { ...raw, 'Content-Type': 'text/plain' },
    JSON.stringify(workflow),
  )
  await call('DELETE', '/api/v1/workflows')
  return JSON.stringify(seen, undefined, 1)
}
