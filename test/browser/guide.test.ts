import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { openWatchedPage } from '../support/browser.ts'
import { blocksOf } from '../support/markdown.ts'
import { serveFolder } from '../support/pages.ts'
import { scratch } from '../support/scratch.ts'
import { started } from '../support/started.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const guide = blocksOf(readFileSync(join(root, 'docs/guide-screen.md'), 'utf8'))
const blockOf = (wanted: string) => guide.find(({ language }) => language === wanted)?.text ?? ''

test('the page of the guide shows what an approver decides in the console', async () => {
  const { mock } = await started({ console: join(root, 'dist/console') })
  const folder = scratch()
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/countersign'))
  writeFileSync(join(folder, 'index.html'), blockOf('html'))
  writeFileSync(join(folder, 'screen.js'), blockOf('js').replace('http://127.0.0.1:4010', mock.url))
  execFileSync(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build'], { cwd: folder })
  const pages = await serveFolder(join(folder, 'dist'))
  onTestFinished(pages.close)
  const { page, complaints } = await openWatchedPage()
  await page.goto(pages.url)
  const file = { name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('a') }
  await page.getByLabel('Contract').setInputFiles(file)
  await page.getByText('Legal review by Lena: running').waitFor()
  const { page: shown } = await openWatchedPage()
  await shown.goto(mock.url)
  await shown.getByText('waits for lena@example.com').click()
  await shown.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Legal review by Lena: approved').waitFor()
  expect(complaints).toEqual([])
})
