import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import { IDBFactory } from 'fake-indexeddb'
import { setupServer } from 'msw/node'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { handlers } from '../../mocks/handlers.ts'
import { createClient, dataOf } from '../../src/client/index.ts'
import { createMock } from '../../src/index.ts'
import { startMock } from '../../src/node/index.ts'
import { type Reads, trackReads } from '../../src/reads/index.ts'

const baseUrl = 'https://approvals.example'
const approvers = [{ email: 'lena@example.com', name: 'Lena' }]
const steps = [
  { step_id: 'legal', name: 'Legal', order: 1, type: 'approval', approvers, estimated_duration: 60 },
] as const
const body = JSON.stringify({ name: 'Contract', steps })

let reads: Reads
beforeEach(() => {
  reads = trackReads({ reader: () => expect.getState().currentTestName })
})
afterEach(() => reads.stop())

const places = () => reads.places().map(({ operation, status, place }) => `${operation} ${status} ${place}`)
const init = () => ({ headers: { Authorization: `test_${crypto.randomUUID()}`, 'Content-Type': 'application/json' } })

const create = (url: string) => fetch(`${url}/api/v1/workflows`, { ...init(), method: 'POST', body })

describe('the answers of', () => {
  test('the global fetch are tracked, by json() and by text()', async () => {
    const mock = await startMock({ port: 0 })
    const { workflow_id } = await (await create(mock.url)).json()
    const response = await fetch(`${mock.url}/api/v1/workflows/${workflow_id}`, init())
    const { title } = JSON.parse(await response.clone().text())
    const { code } = await response.json()
    expect([title, code]).toEqual(['Not Found', 'workflow-not-found'])
    const all = ['createWorkflow 201 /workflow_id', 'getWorkflow 404 /code', 'getWorkflow 404 /title']
    expect(places()).toEqual(all)
    const tests = [expect.stringContaining('json()')]
    expect(reads.places()[0]).toMatchObject({ uses: ['value'], types: ['string'], tests })
    await mock.close()
  })

  test('MSW are tracked, although it replaces fetch', async () => {
    const server = setupServer(...handlers({ baseUrl }))
    server.listen()
    const { workflow_id } = await (await create(baseUrl)).json()
    expect(workflow_id).toMatch(/^wf_/)
    expect(places()).toEqual(['createWorkflow 201 /workflow_id'])
    server.close()
  })

  test('the typed client are tracked, with those that it reads itself', async () => {
    const { fetch } = createMock()
    const client = createClient({ baseUrl, apiKey: 'test_typed', fetch: reads.follow(fetch) })
    const workflow = await dataOf(client.POST('/api/v1/workflows', { body: { name: 'Contract', steps: [...steps] } }))
    expect(workflow.steps[0]?.approvers.map(({ email }) => email)).toEqual(['lena@example.com'])
    await client.uploadDocument(new File(['%PDF'], 'contract.pdf', { type: 'application/pdf' }))
    const params = { path: { workflow_id: 'wf_none' } }
    await expect(dataOf(client.GET('/api/v1/workflows/{workflow_id}', { params }))).rejects.toThrow(/wf_none/)
    const read = ['createWorkflow 201 /steps/*/approvers/*/email', 'getWorkflow 404 /detail']
    expect(places()).toEqual(expect.arrayContaining([...read, 'requestUpload 200 /upload_url']))
    expect(places()).not.toContain('createWorkflow 201 /status')
  })

  test('other addresses and paths are left alone', async () => {
    const answer = (async () => Response.json({ name: 'Ada' })) as () => Promise<Response>
    const nameAt = async (url: string, method = 'GET') =>
      (await (await reads.follow(answer as typeof fetch)(url, { method })).json()).name
    expect(await nameAt('https://elsewhere.example/users/1')).toBe('Ada')
    // The contract has no call that replaces a workflow.
    await nameAt(`${baseUrl}/api/v1/workflows/wf_1`, 'PUT')
    expect(places()).toEqual([])
    reads.stop()
    reads = trackReads({ baseUrl })
    await nameAt('https://elsewhere.example/api/v1/workflows/wf_1')
    expect(places()).toEqual([])
    await nameAt(`${baseUrl}/api/v1/workflows/wf_1`)
    expect(places()).toEqual(['getWorkflow 200 /name'])
  })
})

describe('a tracked answer', () => {
  const value = { name: 'Contract', steps: [{ name: 'Legal' }] }
  const answer = async () => {
    const respond = async () => Response.json(value)
    return (await reads.follow(respond as typeof fetch)(`${baseUrl}/api/v1/workflows/wf_1`)).json()
  }
  const whole = ['', '/steps', '/steps/*'].map((place) => `getWorkflow 200 ${place}`)

  test('can be cloned, which uses all of it', async () => {
    const read = await answer()
    expect(structuredClone({ read, at: new Date(0) })).toEqual({ read: value, at: new Date(0) })
    expect(places()).toEqual(whole)
    expect(() => structuredClone({ read, no: () => undefined })).toThrow(/could not be cloned/)
    expect(() => structuredClone(() => undefined)).toThrow(/could not be cloned/)
  })

  test('can be sent to another thread', async () => {
    const { port1, port2 } = new MessageChannel()
    port1.postMessage(await answer())
    expect(receiveMessageOnPort(port2)?.message).toEqual(value)
    port1.close()
    expect(places()).toEqual(whole)
  })

  test('can be stored in IndexedDB', async () => {
    // Its own way of cloning is the global function.
    const opening = new IDBFactory().open('answers')
    const stored = await new Promise((resolve, reject) => {
      opening.onupgradeneeded = () => opening.result.createObjectStore('all')
      opening.onerror = reject
      opening.onsuccess = async () => {
        const read = await answer()
        const store = opening.result.transaction('all', 'readwrite').objectStore('all')
        store.put(read, 'one')
        const reading = store.get('one')
        reading.onsuccess = () => resolve(reading.result)
      }
    })
    expect(stored).toEqual(value)
  })
})

test('tracking twice is refused, and stopping restores everything', () => {
  expect(() => trackReads()).toThrow('Reads are tracked already. Call stop() of the first trackReads() before.')
  expect(() => trackReads({ url: '' } as object)).toThrow(/Unknown option 'url'/)
  const globals = () => [fetch, structuredClone, JSON.parse, Response.prototype.json, Response.prototype.text]
  reads.stop()
  const before = globals()
  const again = trackReads()
  expect(globals()).not.toEqual(before)
  again.stop()
  again.stop()
  expect(globals()).toEqual(before)
})
