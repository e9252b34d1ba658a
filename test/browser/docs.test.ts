import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operationsOf } from '../../scripts/contract.ts'
import { pages } from '../../scripts/docs/page.ts'
import { samplesOf } from '../../scripts/docs/samples.ts'
import { type RunningMock, startMock } from '../../src/node/start-mock.ts'
import { launchChromium, openWatchedPage, staysHere } from '../support/chromium.ts'
import { contract } from '../support/contract.ts'
import { nonEmpty } from '../support/non-empty.ts'

const folder = fileURLToPath(new URL('../../dist/docs', import.meta.url))
const names = Object.keys(pages).filter((name) => name.endsWith('.html'))
const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]

let browser: Browser
let server: RunningMock

beforeAll(async () => {
  server = await startMock({ port: 0, docs: folder })
  browser = await launchChromium()
})

afterAll(async () => {
  await browser.close()
  await server.close()
})

/** Opens a page of the documentation and records its requests and errors. */
async function opened(name: string, viewport = sizes[0], base = `${server.url}/docs/`) {
  const watched = await openWatchedPage(browser, viewport ? { viewport } : {})
  watched.page.setDefaultTimeout(20_000)
  await watched.page.goto(base + name)
  return watched
}

/** Returns whether a page is wider than its window. */
const overflows = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

const operations = operationsOf(contract).map((operation) => ({
  ...operation,
  place: `index.html#/${operation.definition.tags[0]}/${operation.operationId}`.toLowerCase(),
}))

test.each(nonEmpty(sizes.flatMap((size) => names.map((name) => ({ ...size, name })))))(
  '$name fits $width by $height, and nothing leaves the machine',
  async ({ name, width, height }) => {
    const { page, requests, complaints } = await opened(name, { width, height })
    await page.locator('h1').first().waitFor()
    await page.locator('details').evaluateAll((all) => {
      for (const details of all as HTMLDetailsElement[]) details.open = true
    })
    expect(await overflows(page)).toBe(false)
    expect(requests.filter((address) => !staysHere(address))).toEqual([])
    expect(complaints).toEqual([])
    await page.context().close()
  },
)

test.each(sizes)('every operation has its heading, its samples and its labels at $width by $height', async (size) => {
  const { page, requests, complaints } = await opened('index.html', size)
  for (const { place, definition, ...operation } of nonEmpty(operations)) {
    await page.goto(`${server.url}/docs/${place}`)
    const heading = page.getByRole('heading', { name: definition.summary })
    await heading.waitFor()
    expect(await overflows(page), operation.operationId).toBe(false)
    for (const { label, source } of samplesOf(contract, { ...operation, definition })) {
      // The choice applies to all operations of the page.
      const choice = page.getByRole('button', { name: /^(curl|Typed client)$/ }).last()
      await choice.dispatchEvent('click')
      await page.getByRole('menuitem', { name: label, exact: true }).last().dispatchEvent('click')
      await page.getByText(callIn(source)).first().waitFor()
    }
    const links = await page.locator('a[href^="traceability.html#"], a[href^="questions.html#"]').allTextContents()
    expect(links.filter((text) => text.startsWith('documented: ')).length).toBeGreaterThan(0)
    expect(links.filter((text) => text.startsWith('assumed: ')).length).toBeGreaterThan(0)
  }
  expect(requests.filter((address) => !staysHere(address))).toEqual([])
  expect(complaints).toEqual([])
  await page.context().close()
})

/** Returns the line of a sample that makes the call. */
function callIn(source: string): string {
  return source.split('\n').find((line) => /^curl|client\.[A-Z]+\(|fetch\(/.test(line)) ?? source
}

test('a label leads to the sentence or to the question that it names', async () => {
  const { page } = await opened(operations[0]?.place ?? '')
  await page.locator('a[href="traceability.html#workflow.name"]').first().click()
  await page.waitForURL(/traceability\.html#workflow\.name$/)
  expect(await page.locator(':target blockquote').textContent()).toBe('Workflow name, at most 100 characters.')
  await page.context().close()
})

test.each(['over HTTP', 'from a folder'])('the bar leads from each page to each other %s', async (way) => {
  const base = way === 'over HTTP' ? undefined : `${pathToFileURL(folder)}/`
  const { page, complaints } = await opened('', undefined, base ? `${base}index.html` : undefined)
  for (const name of nonEmpty([...names, ...names.toReversed()])) {
    await page.locator('nav.bar-of-pages').locator(`a[href="${name}"]`).click()
    await page.waitForURL(new RegExp(`/${name}$`))
    expect(await page.locator('[aria-current=page]').first().textContent()).toBe(pages[name as keyof typeof pages])
  }
  expect(complaints).toEqual([])
  await page.context().close()
})

test('without scripts, the page shows everything that needs none', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  for (const name of nonEmpty(names.filter((one) => one !== 'index.html'))) {
    await page.goto(`${server.url}/docs/${name}`)
    expect(await page.locator('main .card, main details.check').count()).toBeGreaterThan(50)
  }
  await context.close()
})
