/** Pages behind servers whose policy forbids styles and scripts in them. */
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { writeReports } from '../../conformance/report/write.ts'
import { pages } from '../../scripts/docs/page.ts'
import { startMock } from '../../src/node/start-mock.ts'
import { launchChromium } from '../support/chromium.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { checkResult, runResult } from '../support/run-result.ts'
import { scratch } from '../support/scratch.ts'

const docs = fileURLToPath(new URL('../../dist/docs', import.meta.url))
const names = Object.keys(pages).filter((name) => name.endsWith('.html'))
/** That of Jenkins for the files of a build, and a common one. */
const policies = [
  "sandbox allow-same-origin; default-src 'none'; img-src 'self'; style-src 'self'",
  "default-src 'self'",
]

let browser: Browser

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

/** Opens a page whose server sends a policy. */
async function openedUnder(policy: string, name: string) {
  const reports = scratch()
  await writeReports(['html'], reports, runResult([checkResult('workflow.name')]))
  const server = await startMock({ port: 0, docs: name === 'report.html' ? reports : docs })
  onTestFinished(server.close)
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.route('**/*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'Content-Security-Policy': policy } })
  })
  await page.goto(`${server.url}/docs/${name}`)
  return page
}

test.each(['report.html', ...names])('%s keeps its style under strict policies', async (name) => {
  for (const policy of nonEmpty(policies)) {
    const page = await openedUnder(policy, name)
    const box = page.locator('.banner, .bar-of-pages').first()
    expect(await box.evaluate((one) => getComputedStyle(one).borderBottomWidth)).toBe('1px')
    const heading = page.locator('h1').first()
    expect(await heading.evaluate((one) => getComputedStyle(one).fontFamily)).not.toMatch(/Times/)
    expect(await heading.isVisible()).toBe(true)
    await page.close()
  }
})

test.each(['index.html', 'admin.html'])('%s shows its text and menu in a sandbox', async (name) => {
  const page = await openedUnder('sandbox allow-scripts', name)
  await page.waitForLoadState('networkidle')
  expect(await page.locator('h1').first().isVisible()).toBe(true)
  expect(await page.locator('.menu-content a, .menu-content li').count()).toBeGreaterThan(3)
  await page.close()
})
