import { expect, test } from 'vitest'
import { jsonLineOf, LineWriter, lineOf } from '../../cli/request-lines.ts'

const request = {
  ...{ id: 7, at: Date.UTC(2026, 0, 1, 12), tenantId: '0123456789abcdef0123456789abcdef', durationMs: 2.6 },
  ...{ operationId: 'getWorkflow' as const, method: 'GET', path: '/api/v1/workflows/wf_1', status: 200 },
}
const refusal = { code: 'workflow-not-found', detail: 'There is none.' }
const esc = '\u001b'

test.each([
  [{}, /^\d\d:\d\d:\d\d 012345 GET {2}\/api\/v1\/workflows\/wf_1 200 3 ms$/],
  [{ status: 404, refusal }, / 404 3 ms {2}workflow-not-found: There is none\.$/],
])('%#: a line has time, tenant in short, method, path, status, duration and reason', (more, line) => {
  expect(lineOf({ ...request, ...more }, false)).toMatch(line)
})

test('a line has colours only for a terminal', () => {
  expect([lineOf(request, true).includes(`${esc}[32m`), lineOf(request, false).includes(esc)]).toEqual([true, false])
})

test('a line has nothing that a terminal could execute', () => {
  const hostile = `/${esc}[2J\u009b2J\r\n\u202e\u2028x`
  const line = lineOf({ ...request, path: hostile, refusal: { code: 'x', detail: hostile } }, false)
  expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
})

test('a line of JSON is one object with the names of the admin API', () => {
  const line = jsonLineOf({ ...request, refusal })
  expect(line).not.toContain('\n')
  expect(JSON.parse(line)).toEqual({
    ...{ request_id: '7', at: '2026-01-01T12:00:00.000Z', tenant_id: request.tenantId, operation_id: 'getWorkflow' },
    ...{ method: 'GET', path: request.path, status: 200, duration_ms: 2.6, ...refusal },
  })
})

test('lines are left out and counted while the reader does not read', () => {
  const output = { writableLength: 0, texts: [] as string[], write: (text: string) => output.texts.push(text) }
  const writer = new LineWriter(output, (count) => `${count} left out`)
  writer.add('one')
  writer.flush()
  output.writableLength = 100_000_000
  writer.add('two')
  writer.flush()
  output.writableLength = 0
  writer.add('three')
  writer.flush()
  expect(output.texts).toEqual(['one\n', 'three\n1 left out\n'])
})

test('waiting lines are bounded', () => {
  const output = { writableLength: 0, text: '', write: (text: string) => (output.text = text) }
  const writer = new LineWriter(output, (count) => `${count} left out`)
  for (let count = 0; count < 6000; count += 1) writer.add('line')
  writer.flush()
  expect(output.text.split('\n').slice(-2)).toEqual(['1000 left out', ''])
})
