import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { checks } from '../../conformance/judging/checks.ts'
import { nonEmpty } from '../support/non-empty.ts'

interface Ran {
  readonly ancestorTitles: readonly string[]
  readonly title: string
  readonly status: string
  readonly failureMessages: readonly string[]
}

/** Runs suites in another Vitest, one file each. Returns the tests of each. */
async function runSuites(suites: readonly string[]): Promise<Ran[][]> {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const folder = join(root, '.vitest', crypto.randomUUID().slice(0, 8))
  mkdirSync(folder, { recursive: true })
  for (const [index, suite] of suites.entries()) writeFileSync(join(folder, `${index}.test.ts`), suite)
  // Otherwise Vitest would read the configuration of the repository.
  writeFileSync(join(folder, 'vitest.config.js'), 'export default {}')
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--root',
    folder,
    '--reporter',
    'json',
    '--no-isolate',
    '--maxWorkers',
    '1',
  ]
  const printed = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: root, maxBuffer: 1e8 }, (_, stdout) => resolve(stdout))
  })
  rmSync(folder, { recursive: true })
  const results: { name: string; assertionResults: Ran[] }[] = JSON.parse(
    printed.slice(printed.indexOf('{')),
  ).testResults
  return results.toSorted((a, b) => a.name.localeCompare(b.name)).map(({ assertionResults }) => assertionResults)
}

let ran: Promise<Ran[][]> | undefined

/** Runs these suites once. Starting Vitest takes a second, so the tests share one. */
function ranSuites(): Promise<Ran[][]> {
  ran ??= runSuites(suites)
  return ran
}

const suites = [
  `
    import { changeStatus } from '../../conformance/selftest/wrapper.ts'
    import { describeConformance } from '../../conformance/run/vitest.ts'
    import { createMock } from '../../src/index.ts'
    const { fetch } = createMock()
    const breaks = changeStatus(['putObject'], 201)(fetch)
    describeConformance('broken', { url: 'http://mock.test', apiKey: 'test_a', fetch: breaks })
    describeConformance('keyless', { url: 'http://mock.test', apiKey: undefined, fetch })
    describeConformance('live', { url: 'http://mock.test', apiKey: 'live_a', fetch })
  `,
  `
    import { hostile } from '../../conformance/selftest/hostile.ts'
    import { describeConformance } from '../../conformance/run/vitest-node.ts'
    import { serve } from '../../test/support/serve.ts'
    const { url } = await serve(hostile.find(({ id }) => id === 'internal-upload-url').create())
    const selects = (id) => id === 'storage.put-to-upload-url'
    describeConformance('led astray', { url, apiKey: 'test_a', selects, gaps: false, profile: { settleSeconds: 0 } })
  `,
]

test('a broken fact fails its test; a missing or live key fails all tests', async () => {
  const [tests = []] = await ranSuites()
  const failedOf = (name: string) =>
    tests.filter(({ ancestorTitles, status }) => ancestorTitles.includes(name) && status === 'failed')
  expect(failedOf('broken').map(({ title }) => title.split(' ')[0])).toEqual(['storage.put-returns-200'])
  for (const [name, why] of [
    ['keyless', 'The API key is missing. Pass apiKey'],
    ['live', 'or set allowLiveKey'],
  ] as const) {
    expect(failedOf(name).length).toBe(checks.length)
    for (const { failureMessages } of nonEmpty(failedOf(name))) expect(failureMessages[0]).toContain(why)
  }
})

test("in Node, a deployment cannot lead the suite to a cloud's metadata", async () => {
  const [, tests = []] = await ranSuites()
  const put = tests.find(({ title }) => title.startsWith('storage.put-to-upload-url '))
  expect(put?.failureMessages[0]).toContain('169.254.169.254 is a link-local address')
})
