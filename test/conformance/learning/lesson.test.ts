import { expect, test } from 'vitest'
import { Samples } from '../../../conformance/flow/samples.ts'
import { plans, takeLesson } from '../../../conformance/learning/lesson.ts'
import { followIdentifiers, Places } from '../../../conformance/learning/roles.ts'
import { virtualTime } from '../../../conformance/selftest/virtual-time.ts'
import { Target } from '../../../conformance/wire/target.ts'
import { createMock } from '../../../src/index.ts'
import { freshKey } from '../../support/service.ts'

/**
 * A mock whose details show an execution only in the third read, and whole only in the fourth. Each answer has a new identifier of the
 * request.
 */
function lateMock() {
  const mock = createMock({
    clockSpeed: 0,
    approvers: 'manual',
    like: { version: 1, accepts: ['document-not-confirmed'] },
  })
  const known = new Map<string, { shown: object; reads: number }>()
  let requests = 0
  return async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    const id = pathname.split('/')[4] ?? ''
    const response = await mock.fetch(request)
    if (!response.ok || !pathname.startsWith('/api/v1/')) return response
    if (pathname.endsWith('/execute') && known.has(id)) known.set(id, { shown: known.get(id)?.shown ?? {}, reads: 3 })
    let body = (await response.json()) as object
    if (request.method === 'GET') {
      const late = known.get(id)
      if (late && late.reads > 0) {
        late.reads -= 1
        body = late.reads > 0 ? late.shown : { ...body, is_whole: false }
      } else known.set(id, { shown: body, reads: 0 })
    }
    requests += 1
    return Response.json({ ...body, request_id: `r${requests}` }, { status: response.status })
  }
}

test('a lesson waits for late details although each answer has something new', async () => {
  const places = new Places()
  const plan = { ...plans.learning, refusals: false, breaksRules: false, prefix: 'learn-late01' }
  const target = new Target({ url: 'http://late.test', apiKey: freshKey(), fetch: lateMock(), time: virtualTime() })
  const created = await target.createWorkflow(new Samples('late').workflow())
  const read = await target.getWorkflow((created.json as { workflow_id: string }).workflow_id)
  followIdentifiers(
    [created, read].map((one) => ({ ...one, at: 0 })),
    places,
  )
  const { exchanges, ...delays } = await takeLesson(plan, { target, places, settleMs: 10_000 })
  const reads = exchanges.filter(({ name }) => name.includes('after execution'))
  const totals = reads.map(({ json }) => (json as { execution_metrics: { total: number } }).execution_metrics.total)
  expect(totals).toEqual([1, 1, 2])
  expect(reads.filter(({ json }) => Object.hasOwn(json as object, 'is_whole'))).toEqual([])
  expect(delays).toMatchObject({ executionDelayMs: 80, figuresDelayMs: 130 })
})

test('a lesson uploads while it creates workflows', async () => {
  const { fetch } = createMock()
  const asked: string[] = []
  const record = (request: Request) => {
    asked.push(`${request.method} ${new URL(request.url).pathname}`)
    return fetch(request)
  }
  const plan = { ...plans.learning, refusals: false, breaksRules: false, prefix: 'learn-side01' }
  const target = new Target({ url: 'http://quick.test', apiKey: freshKey(), fetch: record, time: virtualTime() })
  await takeLesson(plan, { target, places: new Places(), settleMs: 0 })
  const create = 'POST /api/v1/workflows'
  expect(asked.indexOf('POST /api/v1/upload/')).toBeLessThan(asked.indexOf(create, asked.indexOf(create) + 1))
})
