/**
 * Takes the screenshots of the pages: the reports of a failing and a conforming run, the documentation, and the console. Needs
 * Chromium.
 */
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterRow, cleanUp, runCommand, startSelftest, temporaryFolder } from '../bench/harness/processes.ts'
import { startMock } from '../src/node/start-mock.ts'
import { launchChromium } from '../test/support/chromium.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = temporaryFolder()
const countersign = (args: readonly string[], env = {}) => runCommand(['cli/countersign.js', ...args], env)

/** Runs the suite on a server that keeps only the first step of a workflow. */
async function reportFailure(): Promise<void> {
  const { url } = await startSelftest('--mutant', 'only-first-step')
  const args = ['conformance', '--url', url, '--report', 'html', '--report-dir', join(folder, 'failing')]
  const { code } = await countersign(args, { COUNTERSIGN_API_KEY: 'test_picture' })
  if (code !== 1) throw new Error(`The run exited with ${code}, so it shows no failure. Choose another mutant.`)
}

/** Shows an execution of a busy tenant in the console: its first step is decided, and the second waits. */
async function showConsole(page: Page): Promise<void> {
  const startTime = Date.UTC(2026, 2, 2, 9)
  const mock = await startMock({ console: join(root, 'dist/console'), scenario: 'busy-quarter', startTime, seed: 7 })
  afterRow(() => mock.close())
  const headers = { Authorization: 'test_picture', 'Content-Type': 'application/json' }
  const call = async (method: string, path: string, body?: unknown) =>
    (
      await fetch(mock.url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
    ).json()
  const { tenant_id: tenant } = await call('POST', '/__admin/tenants')
  const { executions } = await call('GET', `/__admin/executions?tenant_id=${tenant}&limit=200`)
  const { workflow_id, document_id } = executions.find((one: { steps_total: number }) => one.steps_total === 3)
  const path = `/api/v1/workflows/${workflow_id}/execute`
  const { execution_id: id } = await call('POST', path, {
    document_id,
    submitter_email: 'sam@example.com',
    priority: 'high',
  })
  await call('POST', `/__admin/clock/advance?tenant_id=${tenant}`, { to: 'next-decision' })
  await call('POST', '/__admin/clock/advance', { duration: 'PT40M' })
  await page.goto(`${mock.url}/#executions?tenant=${tenant}&id=${id}`, { waitUntil: 'domcontentloaded' })
  await page.getByRole('figure', { name: /^Timeline/ }).waitFor()
  await page.getByText('live', { exact: true }).waitFor()
}

const browser = await launchChromium()
afterRow(() => browser.close())
try {
  await reportFailure()
  await countersign(['conformance', '--report', 'html', '--report-dir', join(folder, 'report')])
  await countersign(['docs', '--out', join(folder, 'docs')])
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const pictureOf = (name: string) => page.screenshot({ path: join(root, `docs/images/${name}.png`) })
  const open = (path: string) => page.goto(pathToFileURL(join(folder, path)).href, { waitUntil: 'networkidle' })
  await open('failing/report.html')
  await pictureOf('failing-report')
  await open('report/report.html')
  await pictureOf('report')
  await open('docs/index.html')
  await page.getByRole('link', { name: 'Workflows' }).first().click()
  await page.getByRole('heading', { name: 'Create a workflow' }).scrollIntoViewIfNeeded()
  await page.evaluate(() => scrollBy(0, 600))
  await page.waitForLoadState('networkidle')
  await pictureOf('docs')
  await showConsole(page)
  await pictureOf('console')
} finally {
  await cleanUp()
}
