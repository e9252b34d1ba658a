import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { curl, curlNotes } from '../../../conformance/report/curl.ts'
import { exchange } from '../../support/run-result.ts'
import { cases } from '../../support/sample.ts'

/** Returns the arguments that a shell parses from a command. */
function argumentsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}\n`
  const env = { COUNTERSIGN_API_KEY: 'test_key' }
  return execFileSync('sh', ['-c', script], { env }).toString().split('\0').slice(0, -1)
}

test('the key is taken from the environment', () => {
  const sent = exchange({ requestHeaders: { Authorization: '***' } })
  expect(argumentsOf(curl(sent))).toContain('Authorization: test_key')
  expect(curlNotes(sent)).toEqual(['The command reads the key from COUNTERSIGN_API_KEY.'])
})

test('a scheme before the key, and a deliberately wrong key, are kept', () => {
  expect(curl(exchange({ requestHeaders: { Authorization: 'Bearer ***' } }))).toContain('"Authorization: Bearer $COUN')
  expect(curl(exchange({ requestHeaders: { Authorization: 'test_wrong' } }))).toContain("'Authorization: test_wrong'")
})

test('a binary body becomes a file, and an upload lacks its signature', () => {
  const sent = exchange({ method: 'PUT', requestHeaders: {}, requestBody: '<64 bytes of application/pdf>' })
  expect(argumentsOf(curl(sent)).slice(-2)).toEqual(['--data-binary', '@FILE'])
  expect(curlNotes(sent)).toEqual([
    'FILE stands for the body: 64 bytes of application/pdf.',
    'The signature was removed from the URL. Request a new upload URL and use it instead.',
  ])
})

test('with hostile texts, a shell runs curl once and nothing else', () => {
  const text = fc.array(
    fc.constantFrom("'", '"', '$(id)', '`id`', ';', '\n', '\\', '!', '&&', '@/etc/passwd', 'é', ' '),
  )
  const texts = text.map((parts) => parts.join(''))
  fc.assert(
    fc.property(texts, texts, (path, requestBody) => {
      const url = `https://a.example/${path}`
      const args = argumentsOf(curl(exchange({ url, requestHeaders: { 'X-A': path }, requestBody })))
      const expected = ['--include', '--globoff', '--request', 'POST', url, '--header', `X-A: ${path}`]
      expect(args).toEqual(requestBody ? [...expected, '--data-raw', requestBody] : expected)
    }),
    { numRuns: cases(40, 5) },
  )
})
