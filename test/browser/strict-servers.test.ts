/** Pages behind servers whose policy forbids styles and scripts in them. */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { writeReports } from '../../conformance/report/write.ts'
import { pages } from '../../scripts/docs/page.ts'
import { openWatchedPage, sizes } from '../support/browser.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { checkResult, runResult } from '../support/run-result.ts'
import { scratch } from '../support/scratch.ts'
import { started } from '../support/started.ts'

const docs = fileURLToPath(new URL('../../dist/docs', import.meta.url))
const names = Object.keys(pages).filter((name) => name.endsWith('.html'))

/** Returns a page, all whose answers have a policy, and a function that serves a folder. */
async function openedUnder(policy: string) {
  const { page } = await openWatchedPage({ viewport: sizes[0] })
  await page.route('**/*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'Content-Security-Policy': policy } })
  })
  const serve = async (folder: string) => `${(await started({ docs: folder })).mock.url}/docs/`
  return { page, serve }
}

test.each([
  ['Jenkins', "sandbox allow-same-origin; default-src 'none'; img-src 'self'; style-src 'self'"],
  ['a strict server', "default-src 'self'"],
])('pages and reports keep their style under the policy of %s', async (_, policy) => {
  const { page, serve } = await openedUnder(policy)
  const reports = scratch()
  await writeReports(['html'], reports, runResult([checkResult('workflow.name')]))
  const [ofDocs, ofReports] = [await serve(docs), await serve(reports)]
  for (const address of [`${ofReports}report.html`, ...names.map((name) => ofDocs + name)]) {
    await page.goto(address)
    const box = page.locator('.banner, .bar-of-pages').first()
    expect(await box.evaluate((one) => getComputedStyle(one).borderBottomWidth), address).toBe('1px')
    const heading = page.locator('h1').first()
    expect(await heading.evaluate((one) => getComputedStyle(one).fontFamily), address).not.toMatch(/Times/)
    expect(await heading.isVisible(), address).toBe(true)
  }
})

test('the references show their text and menu in a sandbox', async () => {
  const { page, serve } = await openedUnder('sandbox allow-scripts')
  const base = await serve(docs)
  for (const name of nonEmpty(['index.html', 'admin.html'])) {
    await page.goto(base + name)
    await page.waitForLoadState('networkidle')
    expect(await page.locator('h1').first().isVisible(), name).toBe(true)
    expect(await page.locator('.menu-content a, .menu-content li').count(), name).toBeGreaterThan(3)
  }
})
