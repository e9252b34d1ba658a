import { expect, onTestFinished, test, vi } from 'vitest'
import { checks } from '../../conformance/judging/checks.ts'
import type { ConformanceOptions } from '../../conformance/run/vitest.ts'
import { hostile } from '../../conformance/selftest/hostile.ts'
import { virtualTime } from '../../conformance/selftest/virtual-time.ts'
import { changeStatus } from '../../conformance/selftest/wrapper.ts'
import { createMock } from '../../src/index.ts'
import { serve } from '../support/serve.ts'

type Skip = (why: string) => never

/** Runs the tests that a suite defines, without Vitest. Returns what each throws, by the id of its check. */
async function failuresOf(options: ConformanceOptions, entry: 'vitest' | 'vitest-node' = 'vitest') {
  const defined: { id: string; act: (context: { skip: Skip }) => Promise<void> }[] = []
  const describe = (_: string, define: () => void) => define()
  const add = (title: string, _: object, act: (typeof defined)[number]['act']) =>
    defined.push({ id: title.split(' ')[0] ?? '', act })
  vi.resetModules()
  vi.doMock('vitest', () => ({ describe, test: add }))
  onTestFinished(() => {
    vi.doUnmock('vitest')
    vi.resetModules()
  })
  const { describeConformance } = await import(`../../conformance/run/${entry}.ts`)
  describeConformance('a deployment', options)
  expect(defined.map(({ id }) => id)).toEqual(checks.map(({ id }) => id))
  const skipped = new Error('skipped')
  const skip: Skip = () => {
    throw skipped
  }
  const failures = new Map<string, string>()
  for (const { id, act } of defined) {
    const error: unknown = await act({ skip }).catch((thrown) => thrown)
    if (error !== undefined && error !== skipped) failures.set(id, String(error))
  }
  return failures
}

const options = { url: 'http://mock.test', gaps: false, time: virtualTime() }

test('a broken fact fails its test', async () => {
  const fetch = changeStatus(['putObject'], 201)(createMock().fetch)
  expect([...(await failuresOf({ ...options, apiKey: 'test_a', fetch })).keys()]).toEqual(['storage.put-returns-200'])
})

test.each([
  ['missing', undefined, 'The API key is missing. Pass apiKey'],
  ['live', 'live_a', 'or set allowLiveKey'],
])('a %s key fails all tests', async (_, apiKey, why) => {
  const failures = await failuresOf({ ...options, apiKey, fetch: createMock().fetch })
  expect(failures.size).toBe(checks.length)
  expect([...failures.values()].filter((message) => !message.includes(why))).toEqual([])
})

test("in Node, a deployment cannot lead the suite to a cloud's metadata", async () => {
  const server = hostile.find(({ id }) => id === 'internal-upload-url')
  if (!server) throw new TypeError('There is no such server.')
  const { url } = await serve(server.create())
  const selects = (id: string) => id === 'storage.put-to-upload-url'
  const failures = await failuresOf(
    { url, apiKey: 'test_a', selects, gaps: false, profile: { settleSeconds: 0 } },
    'vitest-node',
  )
  expect(failures.get('storage.put-to-upload-url')).toContain('169.254.169.254 is a link-local address')
})
