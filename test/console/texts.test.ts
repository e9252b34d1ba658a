import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { curlCommandOf } from '../../src/console/parts/curl.ts'
import {
  bytesText,
  countText,
  durationText,
  prettyText,
  shareText,
  tenantText,
} from '../../src/console/parts/format.ts'
import { compareLines } from '../../src/console/parts/line-diff.ts'
import { isInState } from '../../src/console/views/requests.tsx'
import { cases } from '../support/sample.ts'

test('both sides of a comparison have all their lines, and the same shared ones', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', '{', ''), { maxLength: 30 }).map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(text, text, (one, other) => {
      const { left, right } = compareLines(one, other)
      const shared = (lines: typeof left) => lines.filter(({ isShared }) => isShared).map(({ text }) => text)
      expect(left.map(({ text }) => text).join('\n')).toBe(one)
      expect(right.map(({ text }) => text).join('\n')).toBe(other)
      expect(shared(left)).toEqual(shared(right))
    }),
  )
})

test('a comparison finds the lines that differ', () => {
  const { left, right } = compareLines('{\n"id": 1\n}', '{\n"workflow_id": 1\n}')
  const differing = (lines: typeof left) => lines.filter(({ isShared }) => !isShared).map(({ text }) => text)
  expect([differing(left), differing(right)]).toEqual([['"id": 1'], ['"workflow_id": 1']])
})

test('texts of many lines are shown without a comparison', () => {
  const long = 'a\n'.repeat(10_000)
  expect(compareLines(long, 'b').right).toEqual([{ text: 'b', isShared: true }])
})

function details(path: string, body: string, headers: Record<string, string> = {}) {
  return {
    request: {
      ...{ request_id: '1', at: '', tenant_id: null, operation_id: 'createWorkflow', method: 'POST', path },
      ...{ status: 201, duration_ms: 1, code: null, detail: null },
    },
    request_headers: { authorization: '(removed)', 'content-type': 'application/json', ...headers },
    request_body: { text: body, size: body.length, is_cut: false },
    ...{ answer_headers: {}, answer_body: null, contract_body: null, requirements: [], gaps: [] },
  }
}

test('a shell passes on what a copied command has, whatever the body says', () => {
  // A shell function in place of curl prints its arguments.
  const run = (command: string) =>
    execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], {
      encoding: 'utf8',
      env: { COUNTERSIGN_API_KEY: 'test_curl' },
    }).split('\0')
  const hostile = fc.string({ unit: fc.constantFrom("'", '"', '$(date)', '`', '\\', '\n', 'a', ' ', '!') })
  fc.assert(
    fc.property(hostile, hostile, (body, header) => {
      const command = curlCommandOf(details('/api/v1/workflows', body, { 'x-note': header }), 'http://127.0.0.1:4010')
      expect(run(command)).toEqual([
        ...['-X', 'POST', 'http://127.0.0.1:4010/api/v1/workflows'],
        ...['-H', 'Authorization: test_curl', '-H', 'content-type: application/json', '-H', `x-note: ${header}`],
        ...['--data-raw', body, ''],
      ])
    }),
    { numRuns: cases(100, 10) },
  )
})

test('a copied command has neither a key nor the headers of a connection', () => {
  const command = curlCommandOf(
    details('/', '{}', { host: 'a', 'content-length': '2', 'sec-fetch-site': 'none' }),
    'http://a',
  )
  expect(command).not.toMatch(/removed|host|content-length|sec-fetch/)
})

test('a JSON text is indented, and shows what would reorder it', () => {
  expect(prettyText('{"name":"a\u202eb"}')).toBe('{\n  "name": "a\\u202eb"\n}')
  expect(prettyText('{"cut')).toBe('{"cut')
})

test.each([
  [0, '0 s'],
  [0.005, '300 ms'],
  [0.5, '30 s'],
  [2.5, '2 min 30 s'],
  [48.5, '48 min'],
  [112, '1 h 52 min'],
  [60, '1 h'],
  [3 * 1440 + 61, '3 d 1 h'],
  [-142.1, '−2 h 22 min'],
])('%d minutes are written as %s', (minutes, text) => {
  expect(durationText(minutes)).toBe(text)
})

test('sizes, shares and counts are written for people', () => {
  expect([bytesText(999), bytesText(48_213), bytesText(1.5e9)]).toEqual(['999 B', '48.2 kB', '1.5 GB'])
  expect([shareText(0.333), countText(1, 'step'), countText(1200, 'step')]).toEqual(['33 %', '1 step', '1,200 steps'])
})

test('a tenant says how many executions are running, if any are', () => {
  const texts = [0, 1].map((running) => tenantText({ name: 'test_a', executions: 2, running }))
  expect(texts).toEqual(['test_a · 2 executions', 'test_a · 2 executions, 1 running'])
})

test('a request without an answer counts as refused', () => {
  const statuses = (state: string) => [0, 200, 399, 400, 503].filter((status) => isInState({ status }, state))
  expect([statuses('refused'), statuses('done')]).toEqual([
    [0, 400, 503],
    [200, 399],
  ])
})
