import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nonEmpty } from './support/non-empty.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A field of each kind. */
const fields = {
  reminder_hours: ['{ type: integer, description: Hours., minimum: 1 }', 48],
  hint: ['{ type: string, description: A hint. }', 'Read page 3.'],
  labels: ['{ type: array, description: Labels., items: { type: string } }', ['legal', 'urgent']],
  limits: ['{ type: object, description: Limits., properties: { low_cents: { type: integer } } }', { low_cents: 5 }],
} as const
const values = Object.fromEntries(Object.entries(fields).map(([name, [, value]]) => [name, value]))

/** Adds the fields to the properties of some schemas. */
function withFields(contract: string): string {
  const lines = Object.entries(fields).map(([name, [schema]]) => `        ${name}: ${schema}\n`)
  return ['Step', 'ExecutionRequest', 'Execution', 'UploadRequest', 'Document'].reduce((text, schema) => {
    const at = text.indexOf('      properties:\n', text.indexOf(`\n    ${schema}:\n`)) + '      properties:\n'.length
    return text.slice(0, at) + lines.join('') + text.slice(at)
  }, contract)
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-field-'))
  const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  for (const path of tracked
    .toString()
    .split('\0')
    .filter((path) => /^(cli|src|conformance|mocks|scripts|examples|docs|[^/]*$)/.test(path))) {
    if (path === '') continue
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    cpSync(join(root, path), join(folder, path), { force: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'openapi.yaml'), withFields(readFileSync(join(root, 'openapi.yaml'), 'utf8')))
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/generate.ts'], { cwd: folder })
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true }))

test('a field of the contract is validated, kept, exported and shown without code', async () => {
  const { createMock }: typeof import('../src/index.ts') = await import(join(folder, 'src/index.ts'))
  const mock = createMock({ approvers: 'manual' })
  const key = 'test_field'
  const call = async (path: string, body: object, method = 'POST') => {
    const headers = { Authorization: key, 'Content-Type': 'application/json' }
    const sent = method === 'GET' ? {} : { body: JSON.stringify(body) }
    const answer = await mock.fetch(new Request(`http://mock.invalid/api/v1${path}`, { method, headers, ...sent }))
    return { status: answer.status, json: await answer.json() }
  }
  const approvers = [{ email: 'lena@example.com', name: 'Lena' }]
  const step = { step_id: 'legal', name: 'Legal', order: 1, type: 'approval', approvers, estimated_duration: 60 }
  const workflow = (more: object) => ({ name: 'Contract', steps: [{ ...step, ...more }] })

  const created = await call('/workflows', workflow({ ...values, stranger: true }))
  expect(created.json.steps).toEqual([{ ...step, ...values }])
  const path = `/workflows/${created.json.workflow_id}`
  expect((await call(path, {}, 'GET')).json.steps).toEqual([{ ...step, ...values }])
  for (const name of nonEmpty(Object.keys(values))) {
    const refused = await call('/workflows', workflow({ ...values, [name]: null }))
    expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, `/steps/0/${name}`])
  }

  const file = { file_name: 'a.txt', content_type: 'text/plain', file_size: 3 }
  const { json: upload } = await call('/upload/', { ...file, ...values })
  await mock.fetch(new Request(upload.upload_url, { method: 'PUT', headers: upload.headers, body: 'abc' }))
  const completed_files = [{ key: upload.key, file_name: file.file_name }]
  const { json: document } = await call('/upload/confirm', { session_id: upload.session_id, completed_files })
  expect(document).toMatchObject({ ...file, ...values })
  const asked = { document_id: document.document_id, submitter_email: 'sam@example.com', ...values }
  expect((await call(`${path}/execute`, asked)).json).toMatchObject(asked)

  const other = createMock({ approvers: 'manual' })
  await other.importTenant(await mock.exportTenant(key), key)
  for (const entries of [mock.journal.read(key), other.journal.read(key)]) {
    const find = (type: string) => entries.find((entry) => entry.type === type)
    expect(find('WorkflowCreated')).toMatchObject({ steps: [{ ...step, ...values }] })
    expect(find('UploadRequested')).toMatchObject(values)
    expect(find('ExecutionStarted')).toMatchObject({ ...values, stages: [[{ ...step, ...values }]] })
  }
})

test('the suite sends a field of the contract, and finds servers that lose it', async () => {
  const { documentedOn }: typeof import('../conformance/selftest/run-on.ts') = await import(
    join(folder, 'conformance/selftest/run-on.ts')
  )
  const { reference }: typeof import('../conformance/selftest/reference.ts') = await import(
    join(folder, 'conformance/selftest/reference.ts')
  )
  type Json = Readonly<Record<string, unknown>>
  const failures = async (path: RegExp, change: (json: Json) => Json) => {
    const fetch = reference()
    const results = await documentedOn(async (request) => {
      const answer = await fetch(request)
      if (!answer.ok || !path.test(request.url) || request.method === 'PUT') return answer
      return Response.json(change(await answer.json()), answer)
    })
    return results.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
  }
  const lost = (json: Json) => {
    const [first, ...others] = json.steps as Json[]
    return { ...json, steps: [{ ...first, hint: undefined }, ...others] }
  }
  const inSteps = (change: (step: Json) => Json) => (json: Json) => ({
    ...json,
    steps: (json.steps as Json[]).map(change),
  })
  const labelled = (labels: unknown) => inSteps((step) => ({ ...step, labels }))
  const limited = inSteps((step) => ({ ...step, limits: { low_cents: 7 } }))
  expect(await failures(/workflows$/, (json) => json)).toEqual([])
  expect(await failures(/workflows/, labelled(['other', 'words']))).toEqual(['workflow.steps'])
  expect(await failures(/workflows$/, limited)).toEqual(['workflow.steps'])
  expect(await failures(/workflows$/, lost)).toEqual(['workflow.steps'])
  expect(await failures(/execute$/, (json) => ({ ...json, reminder_hours: 1 }))).toEqual(['execution.document-id'])
  expect(await failures(/execute$/, (json) => ({ ...json, limits: { low_cents: 7 } }))).toEqual([
    'execution.document-id',
  ])
  expect(await failures(/confirm$/, (json) => ({ ...json, hint: 'other' }))).toEqual(['completed-file.file-name'])
  const cut = (json: Json) => ({ ...json, labels: (json.labels as Json[]).slice(0, 1) })
  expect(await failures(/confirm$/, cut)).toEqual(['completed-file.file-name'])
})
