import { expect, test } from 'vitest'
import { countersIn, executionShown } from '../../conformance/reading/counts.ts'
import { findPart, isNull, unexplained } from '../../conformance/reading/parts.ts'
import { plainOf } from '../../conformance/reading/plain.ts'
import { storageKeyIn } from '../../conformance/reading/storage-key.ts'
import { type Exchange, parseJson, succeeded, succeededBeside, succeededLike } from '../../conformance/wire/exchange.ts'
import { exchangeOf } from '../support/exchange.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** Returns an exchange with this answer. */
function answer(text: string, status = 200, more: Partial<Exchange> = {}): Exchange {
  const bytes = bytesOf(text)
  return exchangeOf({ url: 'http://service.test/api/v1/workflows' }, { status, bytes, json: parseJson(bytes), ...more })
}

test('digits of long numbers are kept, and texts are not changed', () => {
  const text = '{"id":1234567890123456789,"small":12,"float":0.1234567890123456,"text":"1234567890123456789, \\"2\\""}'
  const small = { small: 12, float: 0.1234567890123456, text: '1234567890123456789, "2"' }
  expect(parseJson(bytesOf(text))).toEqual({ id: '1234567890123456789', ...small })
})

test.each([
  '{"success":false}',
  '{"ok":0}',
  '{"error":"no key"}',
  '{"errors":[{"message":"no"}]}',
  '{"isError":true,"data":null}',
  '{"code":40100,"msg":"unauthorized","data":null}',
  '{"code":"E401","message":"unauthorized"}',
  '{"statusCode":404,"message":"Not Found"}',
  '{"status":"failed","reason":"no key"}',
  '{"meta":{"code":401},"data":null}',
  '{"errorMessage":"no key"}',
  '{"result":"NG","message":"no"}',
  '{"success":0,"code":40100}',
  '{"errors":{"count":1,"items":["no"]}}',
  '{"error":"Sign-in was not successful"}',
  '<!doctype html><p>Sign in</p>',
])('$0 reports a failure', (text) => {
  expect(succeeded(answer(text))).toBe(false)
})

test.each([
  '{"success":true,"error":null,"errors":[]}',
  '{"code":0,"msg":"ok","data":{"id":1}}',
  '{"code":20000,"message":"ok","data":{"id":1}}',
  '{"id":"wf_1","code":4021,"status":"draft"}',
  '{"status":200,"message":"created"}',
  '{"type":"workflow","id":"1","error_rate":0.2}',
  '{"errorCode":"0","errorMessage":""}',
  '{"errorCode":"NO_ERROR","errorMessage":"Request successful"}',
  '{"error":{"code":0,"message":""},"errors":{"count":0,"items":[]}}',
  '{"status":{"active":1,"succeeded":0,"failed":2}}',
  '{"total":1,"success":0,"failed":0}',
  '{"id":"wf_1","code":50012,"metadata":{}}',
  '',
])('$0 reports no failure', (text) => {
  expect(succeeded(answer(text))).toBe(true)
})

test.each([
  ['/api/v1/workflows/wf_1', true],
  ['http://service.test/api/v1/workflows/wf_1', true],
  ['/api/v1/executions/exe_1', true],
  ['/api/v1/workflows', false],
  ['/api/v1/workflows/', false],
  ['/api/v1/login', false],
  ['/api/v2/workflows/wf_1', false],
  ['/login', false],
  ['https://elsewhere.test/api/v1/workflows/wf_1', false],
])('303 to $0 is a success: $1', (location, expected) => {
  const { request } = answer('')
  const more = { request: { ...request, method: 'POST' }, headers: new Headers({ Location: location }) }
  expect([303, 302].map((status) => succeeded(answer('', status, more)))).toEqual([expected, false])
})

test('a 201 with a Location is a success with any body', () => {
  const headers = new Headers({ Location: '/api/v1/workflows/wf_1' })
  const created = [{ headers }, {}].map((more) => answer('<html><p>Created</p></html>', 201, more))
  expect(created.map(succeeded)).toEqual([true, false])
})

const head = '"ResponseHeader":{"ReturnCode":"0000","ReturnMessage":"SUCCESS"}'
const valid = `{"Created":{${head},"State":{"Code":"10","Text":"OPEN"}}}`

test.each([
  ['another code', '{"Created":{"ResponseHeader":{"ReturnCode":"E1","ReturnMessage":"Too long"}}}', valid, false],
  ['no valid call beside it', '{"Created":{"ResponseHeader":{"ReturnCode":"E1"}}}', undefined, true],
  ['another state', `{"Created":{${head},"State":{"Code":"20","Text":"DONE"}}}`, valid, true],
])('an answer of 200 with %s than a valid call', (_, text, beside, expected) => {
  expect(succeededBeside(answer(text), beside === undefined ? undefined : answer(beside))).toBe(expected)
})

const control = '{"resultCode":"0000","resultMessage":"ok","id":"wf_1"}'

test.each([
  ['{"resultCode":"0000","resultMessage":"ok","id":"wf_2"}', control, true],
  ['{"resultCode":"A17","resultMessage":"who are you","id":null}', control, false],
  ['', control, false],
  ['{"code":10001,"msg":"Missing API key"}', '{"code":0,"msg":"success"}', false],
  ['{"message":"Upload 8 confirmed"}', '{"message":"Upload 7 confirmed"}', true],
  ['{"message":"Missing API key"}', '{"message":"Upload 7 confirmed"}', false],
])('case %#: a call that must be refused succeeded if answered like the control', (text, like, expected) => {
  expect(succeededLike(answer(text), answer(like))).toBe(expected)
})

test.each([
  [201, true],
  [200, false],
])('a call that is answered %s without a body beside a control with 201', (status, expected) => {
  expect(succeededLike(answer('', status), answer('', 201))).toBe(expected)
})

test.each([
  [{ folder: 'tenants/t/', key: 'tenants/t/1/a.pdf' }, 'tenants/t/1/a.pdf'],
  [{ thumbnail_key: 'tenants/t/1/a.pdf.png', key: 'tenants/t/1/a.pdf' }, 'tenants/t/1/a.pdf'],
  [{ preview: 'tenants/t/preview/a.pdf', key: 'tenants/t/1/a.pdf' }, 'tenants/t/1/a.pdf'],
  [{ key: '/tenants/t/1/a.pdf' }, '/tenants/t/1/a.pdf'],
  [{ storageKey: 'elsewhere/a.pdf' }, 'elsewhere/a.pdf'],
  [{ location: 's3://bucket/tenants/t/1/a.pdf' }, 'tenants/t/1/a.pdf'],
  [{ key_prefix: 'tenants/t/1/' }, 'tenants/t/1/a.pdf'],
  [{ url: 'https://storage.test/o/1' }, undefined],
  [{ tenant_prefix: 'tenants/t' }, undefined],
  [{ folder: 'tenants/t/1' }, 'tenants/t/1/a.pdf'],
])('the storage key in $0 is $1', (json, key) => {
  expect(storageKeyIn(json, 'https://storage.test/o/1', 'a.pdf')?.value).toBe(key)
})

test('of several keys, the one in the upload URL counts', () => {
  const url = 'https://storage.test/tenants/tenants/t/1/a.pdf?sig=x'
  expect(storageKeyIn({}, url, 'a.pdf')?.value).toBe('tenants/t/1/a.pdf')
  expect(storageKeyIn({ folder: 'tenants/t/1' }, url, 'a.pdf')?.value).toBe('tenants/t/1/a.pdf')
  expect(storageKeyIn({ files: { 'tenants/t/1/a.pdf': { size: 3 } } }, url, 'a.pdf')?.value).toBe('tenants/t/1/a.pdf')
  const keys = { preview: { key: 'tenants/t/preview/a.pdf' }, object: { key: 'tenants/t/1/a.pdf' } }
  expect(storageKeyIn(keys, url, 'a.pdf')?.value).toBe('tenants/t/1/a.pdf')
})

const run = (metrics: object) => ({ execution_metrics: metrics })

test.each([
  [run({ queued: 0, running: 0 }), run({ queued: 1, running: 0 }), 'yes'],
  [run({ total: 0, running: 0 }), run({ total: 0, running: 0 }), 'no'],
  [run({ completed: { count: 0 } }), run({ completed: { count: 0 } }), 'unknown'],
  [run({ failed_executions: [] }), run({ failed_executions: [] }), 'unknown'],
  [run({ total: 0, approved: 0, rejected: 0 }), run({ total: 0, approved: 0, rejected: 0 }), 'undecided'],
  [run({ as_of: 'then', total: 0 }), run({ as_of: 'then', total: 0 }), 'undecided'],
  [run({ as_of: 'then', total: 0 }), run({ as_of: 'now', total: 0 }), 'no'],
])('an execution shows between case %# before and after: $2', (before, after, expected) => {
  expect(executionShown(before, after, [])).toBe(expected)
})

test('figures of tasks, times or all workflows count no executions of one', () => {
  const metrics = { total: 1, tasks: { total: 6 }, elapsed_ms: { total: 3 }, organization: { total_executions: 9 } }
  expect(countersIn(run(metrics)).map(({ place }) => place)).toEqual(['/execution_metrics/total'])
  expect(countersIn(run({ executions: { count: 1 } })).map(({ value }) => value)).toEqual([1])
})

const stepOf = (step_id: string, order: number) => {
  const type: 'approval' = 'approval'
  return { step_id, order, name: step_id, type, approvers: [], estimated_duration: 2 }
}
const sent = { name: 'n', steps: [stepOf('legal', 1), stepOf('board', 2)] }
const counted = sent.steps.map(({ step_id }) => ({ step_id, runs: 0 }))

test.each([
  [{ execution_metrics: { by_status: { approved: 0 } } }, 'execution_metrics', '/execution_metrics'],
  [{ throughput: { started: 0, finished: 0 } }, 'execution_metrics', '/throughput'],
  [{ opportunities: [] }, 'optimization_recommendations', '/opportunities'],
  [{ performance: { legal: { runs: 0 }, board: { runs: 0 } } }, 'step_performance', '/performance'],
  [{ steps: counted }, 'step_performance', '/steps'],
  [{ steps: sent.steps }, 'step_performance', undefined],
  [{ recent_executions: counted }, 'step_performance', undefined],
] as const)('$0 has $1 at $2', (json, section, pointer) => {
  expect(findPart(json, section, sent.steps)).toBe(pointer)
})

test('an identifier that begins with a digit is no figure of executions', () => {
  const shown = (value: string) => ({ name: 'A', executions: { ex_1: { execution_id: value } } })
  expect(findPart(shown('6fa435f7-4273-4b41-b018-ffa1d5b901b3'), 'execution_metrics')).toBeUndefined()
  expect(findPart({ execution_count: '12' }, 'execution_metrics')).toBe('/execution_count')
  expect(findPart({ execution_time: '1.5 s' }, 'execution_metrics')).toBe('/execution_time')
})

test('a part under a new name may be a missing section, but not one that was sent', () => {
  const of = (json: object, found: readonly string[], more: object = {}) =>
    unexplained(json, 'optimization_recommendations', { sent, found, ...more })[0]
  const known = { id: 'wf_1', ...sent, owner: { name: 'Sam' }, recent_executions: [], execution_metrics: { total: 0 } }
  expect(of({ data: known }, ['/data/execution_metrics'])).toBeUndefined()
  expect(of({ data: { ...known, hinweise: [] } }, ['/data/execution_metrics'])).toBe('/data/hinweise')
  const embedded = { _embedded: { executions: [{ id: 'ex_1', state: 'open' }] } }
  expect(of({ ...known, ...embedded }, ['/execution_metrics'])).toBeUndefined()
  const flat = { 'wf.name': 'A', 'wf.nr': '7', 'metrics.runs': '1', 'metrics.open': '0', 'run.id': 'R1', 'run.by': 'a' }
  const inFlat = (more: object) => of(plainOf({ ...flat, ...more }) as object, ['/metrics'], { own: '/wf' })
  expect(inFlat({})).toBeUndefined()
  expect(inFlat({ 'perf.1.step': 'legal', 'perf.1.count': '507' })).toBe('/perf')
  expect(inFlat({ '@odata.context': 'http://a.test/$metadata' })).toBeUndefined()
  const inOwn = (parts: object) => of({ vorlage: { name: 'A', nummer: 7, ...parts } }, [], { own: '/vorlage' })
  expect(inOwn({})).toBeUndefined()
  expect(inOwn({ hinweise: [] })).toBe('/vorlage/hinweise')
})

test('a section that is null is neither present nor missing', () => {
  expect(isNull({ optimizationRecommendations: null }, 'optimization_recommendations')).toBe(true)
  expect(isNull({ step_performance: null }, 'step_performance')).toBe(true)
  expect(isNull({ completed_at: null, execution_metrics: {} }, 'step_performance')).toBe(false)
})

test('a key that begins with no tenant is the path that the upload URL repeats', () => {
  const url = 'https://storage.test/put?ref=files%2F7%2Fs1%2Fa.pdf&until=9'
  const file = { llave: 'files/7/s1/a.pdf', nombre: 'a.pdf', copia: 'other/7/a.pdf' }
  expect(storageKeyIn({ file }, url, 'a.pdf')?.pointer).toBe('/file/llave')
  expect(storageKeyIn({ file: { copia: file.copia } }, url, 'a.pdf')).toBeUndefined()
})
