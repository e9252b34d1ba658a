import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Node, readYaml, resolve } from '../../scripts/contract.ts'
import { arbitraryOf } from '../support/arbitrary.ts'
import { cases } from '../support/sample.ts'
import { service } from '../support/service.ts'

const contract = readYaml('openapi.yaml')

/** Returns the part of a value that a schema defines. The service has accepted it, and must not drop it. */
function accepted(node: Node, value: Node): Node {
  const { type, properties, items } = resolve(contract, node)
  if (type === 'array') return value.map((item: Node) => accepted(items, item))
  if (type !== 'object') return value
  const members = Object.keys(properties).filter((name) => name in value)
  return Object.fromEntries(members.map((name) => [name, accepted(properties[name], value[name])]))
}

/** Draws requests of a schema of the contract, each with its accepted part. */
function requests(name: string) {
  const node = { $ref: `#/components/schemas/${name}` }
  return arbitraryOf(contract, node).map((body) => ({ body, accepted: accepted(node, body) }))
}

test('every field of a workflow that is accepted is shown again', async () => {
  const { call } = service()
  const property = fc.asyncProperty(requests('WorkflowRequest'), async ({ body, accepted }) => {
    const created = await call('POST', '/api/v1/workflows', body)
    expect(created.json).toMatchObject(accepted)
    expect((await call('GET', `/api/v1/workflows/${created.json.workflow_id}`)).json).toMatchObject(accepted)
  })
  await fc.assert(property, { numRuns: cases(50, 10) })
})

test('every field of an execution that is accepted is shown again', async () => {
  const { call, created, confirmed } = service()
  const [{ workflow_id }, { document_id }] = [await created(), await confirmed()]
  const property = fc.asyncProperty(requests('ExecutionRequest'), async ({ body, accepted }) => {
    const { status, json } = await call('POST', `/api/v1/workflows/${workflow_id}/execute`, { ...body, document_id })
    expect([status, json]).toMatchObject([202, { ...accepted, document_id }])
  })
  await fc.assert(property, { numRuns: cases(50, 10) })
})

test('every field of an upload that is accepted is shown when it is confirmed', async () => {
  const { call, put, confirm } = service()
  const property = fc.asyncProperty(requests('UploadRequest'), async ({ body, accepted }) => {
    const bytes = new Uint8Array(body.file_size % 100)
    const shown = { ...accepted, file_size: bytes.byteLength }
    const { json } = await call('POST', '/api/v1/upload/', { ...body, file_size: bytes.byteLength })
    await put(json.upload_url, bytes, json.headers)
    const confirmed = await confirm(json, body.file_name)
    expect(confirmed.json).toMatchObject(shown)
  })
  await fc.assert(property, { numRuns: cases(50, 10) })
})
