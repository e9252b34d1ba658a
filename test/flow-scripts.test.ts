import { readFileSync } from 'node:fs'
import { transformSync } from 'esbuild'
import { expect, test } from 'vitest'
import { readYaml } from '../scripts/contract.ts'
import { flowFiles } from '../scripts/generate-flow.ts'
import { nonEmpty } from './support/non-empty.ts'
import { service } from './support/service.ts'

const { code } = transformSync(readFileSync('examples/k6/flow.js', 'utf8'), { format: 'cjs' })

interface Params {
  readonly headers: Record<string, string>
  readonly redirects: number
  readonly tags: { readonly name: string }
}

/** A request as the script passes it to k6. */
interface Sent extends Params {
  readonly method: string
  readonly url: string
  readonly body: string | null
}

/** The part of an answer of k6 that the script reads. */
interface K6Answer {
  readonly status: number
  json(selector: string): unknown
}

/** A request whose answer is not there yet. */
class Pending extends Error {
  constructor(readonly sent: Sent) {
    super('The answer is not there yet.')
  }
}

/**
 * Runs an iteration of the script against a mock. A call of k6 blocks until its answer is there, and one of the mock does not, so
 * the iteration starts again after each call, with the answers so far.
 */
async function iterate(send: (request: Request) => Promise<{ status: number; text: string }>, key: string) {
  const requests: Sent[] = []
  const answers: K6Answer[] = []
  for (;;) {
    const checks = new Map<string, boolean>()
    let place = 0
    const request = (method: string, url: string, body: string | null, params: Params): K6Answer => {
      const answer = answers[place]
      place += 1
      if (!answer) throw new Pending({ method, url, body, ...params })
      return answer
    }
    const check = (answer: K6Answer, tests: Record<string, (answer: K6Answer) => boolean>) => {
      for (const [name, holds] of Object.entries(tests)) checks.set(name, holds(answer))
      return Object.keys(tests).every((name) => checks.get(name))
    }
    const script = load({ k6: { check }, 'k6/http': { default: { request }, __esModule: true } }, key)
    try {
      script.default()
      return { requests, checks, options: script.options }
    } catch (error) {
      if (!(error instanceof Pending)) throw error
      const { method, url, body, headers } = error.sent
      requests.push(error.sent)
      const { status, text } = await send(new Request(url, { method, headers, body }))
      answers.push({ status, json: (selector) => select(JSON.parse(text), selector) })
    }
  }
}

/** Evaluates the script with stand-ins for the modules and globals of k6. */
function load(modules: Record<string, unknown>, key: string): { default(): void; options: typeof options } {
  const module = { exports: {} as ReturnType<typeof load> }
  const globals = { COUNTERSIGN_URL: 'http://mock.test/', COUNTERSIGN_API_KEY: key }
  new Function('module', 'require', '__ENV', '__VU', code)(module, (name: string) => modules[name], globals, 1)
  return module.exports
}

const options = { thresholds: {} as Record<string, string[]> }

/** Returns the value at a path of names and indices, joined by dots. */
function select(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], value)
}

test('the script for k6 follows the flow, and carries each identifier along', async () => {
  const { mock, key, send } = service({ approvers: 'manual' })
  const { requests, checks } = await iterate(send, key)
  expect([...checks.values()]).toEqual(Array(checks.size).fill(true))
  expect(checks.size).toBeGreaterThan(10)
  expect(requests.map(({ tags }) => tags.name)).toEqual(
    readYaml('src/contract/flow.arazzo.yaml').workflows[0].steps.map(({ stepId }: { stepId: string }) => stepId),
  )
  const events = mock.journal.read(key)
  const created = events.find(({ type }) => type === 'WorkflowCreated')
  const confirmed = events.find(({ type }) => type === 'UploadConfirmed')
  const started = events.filter(({ type }) => type === 'ExecutionStarted')
  expect(started).toHaveLength(1)
  expect(started[0]).toMatchObject({
    workflow_id: (created as { workflow_id?: string }).workflow_id,
    document_id: (confirmed as { document_id?: string }).document_id,
  })
})

test('the script for k6 sends the key to the service alone, and follows no redirect', async () => {
  const { key, send } = service()
  const { requests } = await iterate(send, key)
  for (const { url, headers, redirects } of nonEmpty(requests)) {
    expect([headers.Authorization, redirects], url).toEqual([url.includes('/storage/') ? undefined : key, 0])
  }
})

test('the script for k6 ends an iteration at the first failed check', async () => {
  const { mock, key, send } = service()
  mock.next('confirmUpload', { status: 404, body: {}, headers: { 'Content-Type': 'application/problem+json' } }, key)
  const unchecked = async (request: Request) => {
    const answer = await mock.fetch(request)
    return { status: answer.status, text: await answer.text() }
  }
  const { requests, checks } = await iterate(unchecked, key)
  expect(requests).toHaveLength(4)
  expect([...checks].filter(([, holds]) => !holds)).toEqual([['confirm-upload: answers 200', false]])
  expect((await iterate(send, key)).requests).toHaveLength(6)
})

test('the script for k6 fails a run by its checks, errors and slow answers', async () => {
  const { key, send } = service()
  const { thresholds } = (await iterate(send, key)).options
  expect(Object.keys(thresholds).sort()).toEqual(['checks', 'http_req_duration', 'http_req_failed'])
})

test.each([
  ['a criterion of another form', { condition: '$response.header.Location' }, /has an unknown form/],
  ['a value that no step has', { condition: '$response.body#/name == $steps.none.outputs.id' }, /No earlier step/],
  ['a place outside the body', { condition: '$response.header.ETag == 1' }, /not part of an answer's body/],
])('the generator of scripts refuses %s', (_, criterion, message) => {
  const flow = readYaml('src/contract/flow.arazzo.yaml')
  flow.workflows[0].steps[0].successCriteria.push(criterion)
  expect(() => flowFiles(flow, readYaml('openapi.yaml'), '')).toThrow(message)
})

test('each collection sends the requests of the script for k6 in their order', () => {
  const names = [...code.matchAll(/tags: { name: "([\w-]+)" }/g)].map(([, name = '']) => name)
  const collection = JSON.parse(readFileSync('examples/collections/postman.json', 'utf8'))
  expect(collection.item.map(({ name }: { name: string }) => name)).toEqual(nonEmpty(names))
  expect(readFileSync('examples/collections/flow.http', 'utf8').match(/^###/gm)).toHaveLength(names.length)
  names.forEach((name, place) => {
    const request = readFileSync(`examples/collections/bruno/${name}.bru`, 'utf8')
    expect(request).toContain(`seq: ${place + 1}`)
  })
})
