import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import type { Reads } from '../../src/reads/index.ts'
import { flawOfReads, type ReadsFile } from '../../src/reads/reads-file.ts'
import { openWatchedPage, staysHere, type WatchedPage } from '../support/browser.ts'
import { runHere } from '../support/command.ts'
import { serveFolder } from '../support/pages.ts'
import { sharedScratch } from '../support/scratch.ts'
import type { Serving } from '../support/serve.ts'
import { freshKey } from '../support/service.ts'
import { started } from '../support/started.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const file = { name: 'contract.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(200_000, 'countersign') }
/** Takes two seconds at the limit of the test. */
const large = { ...file, buffer: Buffer.alloc(3_000_000, 'countersign') }

const folder = sharedScratch()

const defaultUrl = 'http://127.0.0.1:4010'
const builds = new Map<string, Promise<unknown>>()

/** Builds the example as its users do, once for each mode, and serves the result for an API at an address. */
async function buildExample(
  mode: 'msw' | 'production' | 'reads',
  apiUrl = defaultUrl,
): Promise<Serving & { readonly files: string[] }> {
  const outDir = join(folder, mode)
  const options = {
    cwd: join(root, 'examples/vite-react'),
    env: { ...process.env, NODE_ENV: 'production', VITE_API_URL: defaultUrl },
  }
  const args = ['build', '--mode', mode, '--outDir', outDir]
  const built = builds.get(mode) ?? promisify(execFile)(join(root, 'node_modules/.bin/vite'), args, options)
  builds.set(mode, built)
  await built
  const server = await serveFolder(outDir, (script) => script.replaceAll(defaultUrl, apiUrl))
  onTestFinished(server.close)
  return { ...server, files: await readdir(outDir, { recursive: true }) }
}

/** Opens the example. `shares` returns the states of its progress bar since the last call. */
async function opened(url: string): Promise<WatchedPage & { shares(): Promise<number[]> }> {
  const watched = await openWatchedPage()
  const { page } = watched
  // The handlers draw their seed. With another one, a simulated approver may reject.
  await page.addInitScript(() => {
    Math.random = () => 0.5
  })
  await page.goto(url)
  await page.evaluate(() => {
    const shares: number[] = []
    Object.assign(globalThis, { shares })
    new MutationObserver(() => {
      const bar = document.querySelector('progress')
      if (bar && bar.value !== shares.at(-1)) shares.push(bar.value)
    }).observe(document.body, { subtree: true, childList: true, attributes: true })
  })
  return {
    ...watched,
    shares: () => page.evaluate(() => (globalThis as unknown as { shares: number[] }).shares.splice(0)),
  }
}

/** Limits the bytes that the page sends in a second. Answers of a service worker are not limited. */
async function throttleUploads(page: Page, uploadThroughput: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const rest = { offline: false, latency: 0, downloadThroughput: -1 }
  await session.send('Network.emulateNetworkConditions', { ...rest, uploadThroughput })
}

async function createWorkflow(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create workflow' }).click()
  await page.getByRole('heading', { name: 'Supplier contract' }).waitFor()
}

async function beginUpload(page: Page, document = file): Promise<void> {
  await page.getByLabel('Document', { exact: true }).setInputFiles(document)
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
}

async function cancelUpload(page: Page): Promise<void> {
  await beginUpload(page, large)
  await page.waitForFunction(() => (document.querySelector('progress')?.value ?? 0) > 0)
  await page.getByRole('button', { name: 'Cancel upload' }).click()
  await page.getByText('Cancelled. Nothing was changed.').waitFor()
}

/** Runs the example from a workflow to an approved document. */
async function approveDocument(page: Page, document = file): Promise<void> {
  await beginUpload(page, document)
  await page.getByText('contract.pdf is uploaded.').waitFor()
  await page.getByRole('button', { name: 'Start approval' }).click()
  await page.getByText('Waiting for Lena Ortiz (Legal review).').waitFor()
  await page.getByText('ines@example.com is the only approver of the step.').waitFor()
  await page.getByText('Everybody approved.').waitFor()
  await expect.poll(() => page.locator('dl.figures').textContent()).toContain('Success rate100 %')
}

test('with the mock server on origins of its own the example gets an approval', async () => {
  const { mock } = await started({ storagePort: 0, clockSpeed: 3600 })
  const site = await buildExample('production', mock.url)
  expect(site.files.filter((name) => /mock/i.test(name))).toEqual([])
  const { page, requests, complaints, shares } = await opened(site.url)
  await createWorkflow(page)
  // The browser may send the rest of a cancelled upload when the limit changes, so it stays the same.
  await throttleUploads(page, 1_500_000)
  await cancelUpload(page)
  expect(Math.max(...(await shares()))).toBeLessThan(1)
  await approveDocument(page, large)
  const seen = await shares()
  expect([seen[0], seen.at(-1)]).toEqual([0, 1])
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  expect(seen.length).toBeGreaterThan(2)
  expect(new Set(requests.map((url) => new URL(url).origin))).toEqual(new Set([site.url, mock.url, mock.storageUrl]))
  expect(complaints).toEqual([])
  const events = mock.journal.read().map(({ type }) => type)
  expect(events.filter((type) => type === 'ObjectStored' || type === 'ExecutionCompleted')).toEqual([
    'ObjectStored',
    'ExecutionCompleted',
  ])
})

test('with MSW the example gets an approval, and sends nothing to a service', async () => {
  const site = await buildExample('msw')
  expect(site.files).toContain('mockServiceWorker.js')
  const { page, requests, complaints, shares } = await opened(site.url)
  const answers: boolean[] = []
  page.on('response', (response) => {
    if (response.url().startsWith('http://127.0.0.1:4010/')) answers.push(response.fromServiceWorker())
  })
  await createWorkflow(page)
  await approveDocument(page)
  const seen = await shares()
  expect([seen[0], seen.at(-1)]).toEqual([0, 1])
  expect(answers.length).toBeGreaterThan(5)
  expect(answers).not.toContain(false)
  expect(requests.filter((url) => !staysHere(url))).toEqual([])
  expect(complaints).toEqual([])
})

/** All that the components of the example use, found by reading their code. A single execution has no bottleneck and no recommendation. */
const usedByComponents = {
  'createWorkflow 201': '/name /workflow_id',
  'getWorkflow 200': `
    /description /isSequential /steps /recent_executions /step_performance /execution_metrics
    /steps/* /steps/*/step_id /steps/*/name /steps/*/estimated_duration
    /steps/*/approvers /steps/*/approvers/* /steps/*/approvers/*/name
    /execution_metrics/total /execution_metrics/running /execution_metrics/approved /execution_metrics/rejected
    /execution_metrics/success_rate /execution_metrics/completion_time
    /execution_metrics/completion_time/mean_minutes /execution_metrics/completion_time/p90_minutes
    /step_performance/* /step_performance/*/step_id /step_performance/*/assigned /step_performance/*/approved
    /step_performance/*/rejected /step_performance/*/waiting_time /step_performance/*/working_time
    /step_performance/*/estimated_minutes /step_performance/*/critical_path_share
    /step_performance/*/waiting_time/mean_minutes /step_performance/*/working_time/mean_minutes
    /bottlenecks /optimization_recommendations
    /recent_executions/* /recent_executions/*/execution_id /recent_executions/*/workflow_id
    /recent_executions/*/status /recent_executions/*/priority /recent_executions/*/started_at
    /recent_executions/*/steps /recent_executions/*/steps/* /recent_executions/*/steps/*/step_id
    /recent_executions/*/steps/*/status /recent_executions/*/steps/*/name /recent_executions/*/steps/*/assignee
    /recent_executions/*/steps/*/assignee/name /recent_executions/*/steps/*/routing
    /recent_executions/*/steps/*/routing/reason`,
  'requestUpload 200': '/key /session_id /upload_url',
  'confirmUpload 200': '/document_id /file_name',
}

test('exactly what the components read is recorded, with the test that read it', async () => {
  const site = await buildExample('reads')
  const { page, complaints } = await opened(site.url)
  const during = (name: string) =>
    page.evaluate((test) => {
      document.body.dataset.test = test
    }, name)
  await during('a new workflow is shown')
  await createWorkflow(page)
  await page.getByRole('heading', { name: 'Analytics' }).waitFor()
  await during('a document is approved')
  await approveDocument(page)
  const text = await page.evaluate(() => (globalThis as unknown as { reads: Reads }).reads.text())
  expect(complaints).toEqual([])
  const reads: ReadsFile = JSON.parse(text)
  expect(flawOfReads(reads)).toBeUndefined()
  const used = Object.entries(usedByComponents).flatMap(([call, places]) =>
    places
      .trim()
      .split(/\s+/)
      .map((place) => `${call} ${place}`),
  )
  const found = reads.places.map(({ operation, status, place }) => `${operation} ${status} ${place}`)
  expect(found.toSorted()).toEqual(used.toSorted())
  expect(new Set(reads.places.flatMap(({ uses }) => uses))).toEqual(new Set(['value']))
})

test('what Playwright records of the example replays, and compares as the same', async () => {
  const start = async () => (await started({ storagePort: 0, approvers: 'manual' })).mock
  const [mock, other] = [await start(), await start()]
  const site = await buildExample('production', mock.url)
  const path = join(folder, 'example.har')
  const { page } = await openWatchedPage({ recordHar: { path, content: 'embed' } })
  await page.goto(site.url)
  await createWorkflow(page)
  await beginUpload(page)
  await page.getByText('contract.pdf is uploaded.').waitFor()
  await page.getByRole('button', { name: 'Start approval' }).click()
  await page.getByText('Waiting for Lena Ortiz (Legal review).').waitFor()
  await page.context().close()

  const env = { COUNTERSIGN_API_KEY: freshKey() }
  const replayed = await runHere(['replay', path, '--url', other.url], env)
  expect([replayed.code, replayed.stderr]).toEqual([0, ''])
  for (const call of ['createWorkflow', 'requestUpload', 'putObject', 'confirmUpload', 'executeWorkflow'])
    expect(replayed.stdout).toMatch(new RegExp(`^same {7}${call}`, 'm'))
  expect(replayed.stdout).toMatch(/Left out: \d+ calls to other origins/)
  const compared = await runHere(['compare', mock.url, other.url, '--session', path], env)
  expect([compared.code, compared.stderr]).toEqual([0, ''])
})
