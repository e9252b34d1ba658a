/** Takes the README's screenshots: the report of a run, and the documentation. Needs Chromium. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { launchChromium } from '../test/support/chromium.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'countersign-pictures-'))
const countersign = (...args: string[]) =>
  execFileSync(process.execPath, [join(root, 'bin/countersign.js'), ...args], { cwd: folder, stdio: 'ignore' })
const browser = await launchChromium()
try {
  countersign('conformance', '--report', 'html')
  countersign('docs', '--out', 'docs')
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const pictureOf = (name: string) => page.screenshot({ path: join(root, `docs/images/${name}.png`) })
  const open = (path: string) => page.goto(pathToFileURL(join(folder, path)).href, { waitUntil: 'networkidle' })
  await open('conformance-report/report.html')
  await pictureOf('report')
  await open('docs/index.html')
  await page.getByRole('link', { name: 'Workflows' }).first().click()
  await page.getByRole('heading', { name: 'Create a workflow' }).scrollIntoViewIfNeeded()
  await page.evaluate(() => scrollBy(0, 600))
  await page.waitForLoadState('networkidle')
  await pictureOf('docs')
} finally {
  await browser.close()
  rmSync(folder, { recursive: true })
}
