import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Node, operationsOf, resolve } from '../../scripts/contract.ts'
import { anyText, arbitraryOf } from '../support/arbitrary.ts'
import { breachesOf } from '../support/breach.ts'
import { contract, flawsOf } from '../support/contract.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { draws } from '../support/sample.ts'
import { service } from '../support/service.ts'

/** The number of requests of each kind: 10,000 together in the deep run. `service` compares each answer with the contract. */
const requests = { sound: draws(4_000), broken: draws(4_000), reading: draws(500), uploading: draws(1_500) }

type World = ReturnType<typeof service>

/** The parts of an accepted call: its path, the members of its body that refer to other calls, and the expected status. */
interface Prepared {
  readonly path: string
  readonly refers?: object
  readonly status: number
}

/** One byte more than the largest file. */
const tooLarge = 100 * 1024 * 1024 + 1

/** Prepares a world in which a valid body is accepted. */
const prepare: Record<string, (world: World) => Promise<(body: Node) => Prepared>> = {
  createWorkflow: async () => () => ({ path: '/api/v1/workflows', status: 201 }),
  async executeWorkflow({ created, confirmed }) {
    const { workflow_id } = await created()
    const { document_id } = await confirmed()
    return () => ({ path: `/api/v1/workflows/${workflow_id}/execute`, refers: { document_id }, status: 202 })
  },
  requestUpload: async () => (body) => {
    return { path: '/api/v1/upload/', refers: { file_size: body.file_size % tooLarge }, status: 200 }
  },
  async confirmUpload({ stored, confirmation }) {
    const refers = confirmation(await stored())
    return () => ({ path: '/api/v1/upload/confirm', refers, status: 200 })
  },
}

const calls = operationsOf(contract).flatMap(({ operationId, definition }) => {
  const schema = resolve(contract, definition.requestBody)?.content['application/json']?.schema
  return schema ? [{ id: operationId, schema, breaches: breachesOf(contract, schema) }] : []
})
const breaches = calls.flatMap(({ id, breaches }) =>
  breaches.map(({ rule, place, drawn }) => [id, rule, place, drawn] as const),
)

test.each(nonEmpty(calls.map(({ id, schema }) => [id, schema])))(
  '%s accepts every body that its schema allows',
  async (id, schema) => {
    const world = service()
    const prepared = await prepare[id]?.(world)
    await fc.assert(
      fc.asyncProperty(arbitraryOf(contract, schema), async (drawn) => {
        const { path, refers, status } = prepared?.(drawn) ?? {}
        const body = { ...drawn, ...refers }
        expect(flawsOf(schema, body)).toEqual([])
        const answer = await world.call('POST', String(path), body)
        expect(answer.status, answer.text).toBe(status)
      }),
      { numRuns: requests.sound / calls.length },
    )
  },
)

test.each(nonEmpty(breaches))('%s refuses %s at %s', async (id, rule, _, drawn) => {
  const world = service()
  const prepared = await prepare[id]?.(world)
  const before = world.world.journal.read().length
  await fc.assert(
    fc.asyncProperty(drawn, async ({ value, pointer }) => {
      const answer = await world.call('POST', String(prepared?.(value).path), value)
      expect([answer.status, answer.json.code]).toEqual([400, 'invalid-request'])
      expect(answer.json.errors).toContainEqual({ pointer, rule, message: expect.any(String) })
      // A value of another type may break several rules, but only of this field.
      expect(answer.json.errors.filter((violation: Node) => violation.pointer !== pointer)).toEqual([])
      if (rule !== 'type') expect(answer.json.errors).toHaveLength(1)
    }),
    { numRuns: Math.ceil(requests.broken / breaches.length) },
  )
  expect(world.world.journal.read()).toHaveLength(before)
})

test('getWorkflow finds no workflow under any other name', async () => {
  const { call, created } = service()
  const { workflow_id } = await created()
  const names = anyText.filter((name) => !['', '.', '..', workflow_id].includes(name))
  await fc.assert(
    fc.asyncProperty(names, async (name) => {
      const answer = await call('GET', `/api/v1/workflows/${encodeURIComponent(name)}`)
      expect([answer.status, answer.json.code]).toEqual([404, 'workflow-not-found'])
    }),
    { numRuns: requests.reading },
  )
})

test('every accepted upload request leads to an upload that can be confirmed', async () => {
  const { call, put } = service()
  const bytes = fc.uint8Array({ maxLength: 50 })
  const request = arbitraryOf(contract, { $ref: '#/components/schemas/UploadRequest' })
  await fc.assert(
    fc.asyncProperty(bytes, request, async (file, drawn) => {
      const upload = await call('POST', '/api/v1/upload/', { ...drawn, file_size: file.byteLength })
      const { upload_url, headers, session_id, key } = upload.json
      const stored = await put(upload_url, new Uint8Array(file), headers)
      expect([stored.status, stored.text]).toEqual([200, ''])
      const files = [{ key, file_name: drawn.file_name }]
      const confirmed = await call('POST', '/api/v1/upload/confirm', { session_id, completed_files: files })
      expect([confirmed.status, confirmed.json.file_size]).toEqual([200, file.byteLength])
    }),
    { numRuns: requests.uploading / 3 },
  )
})
