import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { S3Credentials } from '../../src/node/s3/credentials.ts'
import { openS3 } from '../../src/node/s3/s3-store.ts'
import { mustFail, runHere } from '../support/command.ts'

const minute = 60_000
const start = Date.UTC(2026, 10, 26)

beforeEach(() => {
  vi.useFakeTimers({ now: start, toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  vi.stubGlobal('fetch', async () => new Response(null))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Opens a store with credentials for an hour, of which `fails` says when there are none. */
async function opened(fails: (request: number) => boolean = () => false) {
  let requests = 0
  const warnings: string[] = []
  const credentials = async (): Promise<S3Credentials> => {
    requests += 1
    if (fails(requests)) throw new Error('The role is away')
    const expiration = new Date(Date.now() + 60 * minute)
    return { accessKeyId: `id-${requests}`, secretAccessKey: 'secret', sessionToken: `token-${requests}`, expiration }
  }
  const store = await openS3({ bucket: 'uploads', credentials }, (warning) => warnings.push(warning))
  onTestFinished(() => store.close())
  const upload = { key: 'a', request: { content_type: 'text/plain', file_size: 1 } } as Parameters<
    typeof store.uploadUrl
  >[0]
  return { url: () => new URL(store.uploadUrl(upload, 900)).searchParams, warnings, requests: () => requests, store }
}

const shown = (params: URLSearchParams) => [params.get('X-Amz-Security-Token'), params.get('X-Amz-Expires')]

test('credentials are renewed before addresses would outlive them', async () => {
  const { url, requests, store } = await opened()
  await vi.advanceTimersByTimeAsync(39 * minute)
  expect(shown(url())).toEqual(['token-1', '900'])
  await vi.advanceTimersByTimeAsync(minute)
  expect(shown(url())).toEqual(['token-2', '900'])
  store.close()
  await vi.advanceTimersByTimeAsync(600 * minute)
  expect(requests()).toBe(2)
})

test('credentials that cannot be renewed shorten addresses, and then end them', async () => {
  const { url, warnings } = await opened((request) => request > 1 && request < 23)
  await vi.advanceTimersByTimeAsync(50 * minute)
  expect(shown(url())).toEqual(['token-1', '600'])
  expect(warnings).toHaveLength(11)
  expect(warnings[0]).toMatch(/cannot be renewed: The role is away\. They end at 2026-11-26T01:00:00\.000Z; the next/)
  await vi.advanceTimersByTimeAsync(10 * minute)
  expect(url).toThrow(/have expired\. Try again when they are renewed\.$/)
  await vi.advanceTimersByTimeAsync(minute)
  expect(shown(url())).toEqual(['token-23', '900'])
})

test('a store without credentials is not opened', async () => {
  await expect(opened(() => true)).rejects.toThrow('There are no credentials for the store: The role is away.')
})

const json = { Version: 1, AccessKeyId: 'id', SecretAccessKey: 'canary-secret', SessionToken: 'canary-token' }

test.each([
  ['fails', 'exit 7', 'The command of --objects-credentials failed (exit code 7).'],
  ['prints none', 'echo {}', 'prints no JSON with AccessKeyId and SecretAccessKey.'],
  ['prints some', `echo '${JSON.stringify(json)}'`, 'refuses requests about bucket uploads'],
])('a command for credentials that %s is run, and shows no secret', async (_, command, message) => {
  vi.useRealTimers()
  const refusal = '<Error><Code>Other</Code><Message>canary-secret and canary-token</Message></Error>'
  vi.stubGlobal('fetch', async () => new Response(refusal, { status: 403 }))
  const args = ['objects', 'init', 's3://uploads', '--objects-credentials', command]
  const { stderr } = await mustFail(runHere(args), 4, message)
  expect(stderr).not.toContain('canary')
})
