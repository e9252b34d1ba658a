/** Takes the screenshots of the pages: the reports of a failing and a conforming run, and the documentation. Needs Chromium. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { combine } from '../conformance/selftest/combine.ts'
import { serveOverHttp } from '../conformance/selftest/over-http.ts'
import { launchChromium } from '../test/support/chromium.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'countersign-pictures-'))

/** Runs the command line in the folder, and resolves with its exit code. */
function countersign(args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  const options = { cwd: folder, env: { ...process.env, ...env } }
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [join(root, 'bin/countersign.js'), ...args], options, (error) => {
      if (error && typeof error.code !== 'number') reject(error)
      else resolve(Number(error?.code ?? 0))
    })
  })
}

/** Runs the suite on a server that keeps only the first step of a workflow. */
async function reportFailure(): Promise<void> {
  const fetch = combine({ mutant: 'only-first-step' })
  const server = createServer((incoming, outgoing) => serveOverHttp(fetch, incoming, outgoing))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const args = ['conformance', '--url', url, '--report', 'html', '--report-dir', 'failing']
  const code = await countersign(args, { COUNTERSIGN_API_KEY: 'test_picture' })
  server.close()
  if (code !== 1) throw new Error(`The run exited with ${code}, so it shows no failure. Choose another mutant.`)
}

const browser = await launchChromium()
try {
  await reportFailure()
  await countersign(['conformance', '--report', 'html'])
  await countersign(['docs', '--out', 'docs'])
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const pictureOf = (name: string) => page.screenshot({ path: join(root, `docs/images/${name}.png`) })
  const open = (path: string) => page.goto(pathToFileURL(join(folder, path)).href, { waitUntil: 'networkidle' })
  await open('failing/report.html')
  await pictureOf('failing-report')
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
