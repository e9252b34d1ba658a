import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { operationsOf, readYaml } from '../../scripts/contract.ts'
import { pages } from '../../scripts/docs/page.ts'
import { samplesOf } from '../../scripts/docs/samples.ts'
import { openWatchedPage, overflows, sizes, staysHere, unfold } from '../support/browser.ts'
import { runHere } from '../support/command.ts'
import { contract } from '../support/contract.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { scratch } from '../support/scratch.ts'
import { freshKey } from '../support/service.ts'
import { sharedMock } from '../support/started.ts'

const folder = fileURLToPath(new URL('../../dist/docs', import.meta.url))
const names = Object.keys(pages).filter((name) => name.endsWith('.html'))

const server = await sharedMock({ docs: folder })

/** Opens a page of the documentation. Fails at the end of the test if it requested something elsewhere. */
async function opened(name: string, viewport = sizes[0], base = `${server.url}/docs/`) {
  const watched = await openWatchedPage(viewport ? { viewport } : {})
  onTestFinished(() =>
    expect(watched.requests.filter((address) => !/^file:/.test(address) && !staysHere(address))).toEqual([]),
  )
  watched.page.setDefaultTimeout(20_000)
  await watched.page.goto(base + name)
  return watched
}

/** Opens the page that sends calls, with a key of its own. */
async function openedToTry(base?: string) {
  const { page, complaints } = await opened('try.html', sizes[0], base)
  const key = page.getByLabel('API key', { exact: true })
  const before = await key.inputValue()
  await key.fill(freshKey())
  return { page, complaints, key, before }
}

const isFocused = (one: Locator) => one.evaluate((element) => element === document.activeElement)

const operations = operationsOf(contract).map((operation) => ({
  ...operation,
  place: `index.html#/${operation.definition.tags[0]}/${operation.operationId}`.toLowerCase(),
}))

/** Returns the widths of windows that a page is wider than. */
async function narrowerThan(page: Page): Promise<number[]> {
  const narrow: number[] = []
  for (const size of sizes) {
    await page.setViewportSize(size)
    if (await overflows(page)) narrow.push(size.width)
  }
  return narrow
}

/** The pages that the bar leads to. */
const listed = names.filter((name) => name !== 'search.html')

test.each(nonEmpty(names))('%s fits any window, has the bar, and stays on the machine', async (name) => {
  const { page, complaints } = await opened(name)
  await page.locator('h1').first().waitFor()
  await unfold(page)
  expect(await narrowerThan(page)).toEqual([])
  const links = await page
    .locator('nav.bar-of-pages a')
    .evaluateAll((all) => all.map((one) => one.getAttribute('href')))
  expect(links).toEqual(expect.arrayContaining(listed))
  if (listed.includes(name)) {
    expect(await page.locator('[aria-current=page]').first().textContent()).toBe(pages[name as keyof typeof pages])
  }
  expect(complaints).toEqual([])
})

test('every operation has its heading, its samples and its labels', async () => {
  const { page, complaints } = await opened('index.html')
  for (const { place, definition, ...operation } of nonEmpty(operations)) {
    await page.goto(`${server.url}/docs/${place}`)
    const heading = page.getByRole('heading', { name: definition.summary })
    await heading.waitFor()
    for (const { label, source } of samplesOf(contract, { ...operation, definition })) {
      // The choice applies to all operations of the page.
      const choice = page.getByRole('button', { name: /^(curl|Typed client)$/ }).last()
      await choice.dispatchEvent('click')
      await page.getByRole('menuitem', { name: label, exact: true }).last().dispatchEvent('click')
      const shown = callIn(source).replace(/"\$COUNTERSIGN_URL|(?<=')http:\/\/127\.0\.0\.1:4010/, (url) =>
        url.replace(/[^"].*/, server.url),
      )
      await page.getByText(shown).first().waitFor()
    }
    const links = await page.locator('a[href^="traceability.html#"], a[href^="questions.html#"]').allTextContents()
    expect(links.filter((text) => text.startsWith('documented: ')).length).toBeGreaterThan(0)
    expect(links.filter((text) => text.startsWith('assumed: ')).length).toBeGreaterThan(0)
  }
  expect(complaints).toEqual([])
})

/** Returns the line of a sample that makes the call. */
function callIn(source: string): string {
  return source.split('\n').find((line) => /^curl|client\.[A-Z]+\(|fetch\(/.test(line)) ?? source
}

test('without scripts, the page shows everything that needs none', async () => {
  const { page } = await openWatchedPage({ javaScriptEnabled: false })
  for (const name of ['questions.html', 'traceability.html', 'errors.html'] as const) {
    await page.goto(`${server.url}/docs/${name}`)
    expect(await page.locator('main .card, main details.check').count()).toBeGreaterThan(50)
  }
  for (const name of ['try.html', 'search.html'] as const) {
    await page.goto(`${server.url}/docs/${name}`)
    expect(await page.locator('noscript').textContent()).toContain('needs JavaScript')
  }
})

test.each(['over HTTP', 'from a folder'])('the search leads by keyboard to an error %s', async (way) => {
  const base = way === 'over HTTP' ? undefined : `${pathToFileURL(folder)}/`
  const { page, complaints } = await opened('questions.html', sizes[1], base)
  await page.getByRole('searchbox').press('d')
  await page.keyboard.type('ocument-not-confirmed')
  await page.keyboard.press('Enter')
  await page.waitForURL(/search\.html\?q=document-not-confirmed$/)
  await page
    .getByRole('status')
    .getByText(/^\d+ results?$/)
    .waitFor()
  expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toContain('Errors (1)')
  const result = page.getByRole('link', { name: '409 document-not-confirmed' })
  while (!(await isFocused(result))) await page.keyboard.press('ArrowDown')
  expect(await overflows(page)).toBe(false)
  await page.keyboard.press('Escape')
  expect(await isFocused(page.getByRole('searchbox'))).toBe(true)
  await result.press('Enter')
  await page.waitForURL(/errors\.html#executeWorkflow-409-document-not-confirmed$/)
  await page.locator('details[open]').getByText('"code": "document-not-confirmed"').waitFor()
  expect(complaints).toEqual([])
})

test.each(['/', 'Control+k'])('%s on a reference goes to the search of all pages', async (keys) => {
  const { page } = await opened('index.html')
  await page.getByRole('button', { name: 'Copy' }).first().focus()
  await page.keyboard.press(keys)
  expect(await isFocused(page.getByRole('searchbox'))).toBe(true)
  await page.keyboard.type('a/b')
  expect(await page.getByRole('searchbox').inputValue()).toBe('a/b')
  expect(await page.getByTestId('search-dialog').count()).toBe(0)
})

/** Sends the call of a form by keyboard. Returns the status that it shows. */
async function sent(page: Page, operationId: string): Promise<string | null> {
  const card = page.locator(`#${operationId}`)
  await card.getByRole('button', { name: 'Send' }).press('Enter')
  await card.locator('.result .badge').waitFor()
  expect(await isFocused(card.getByRole('button', { name: 'Send' }))).toBe(true)
  return card.locator('.result .badge').textContent()
}

test('the whole flow can be sent from the page by keyboard, and fits any window', async () => {
  const { page, complaints } = await openedToTry()
  await page.emulateMedia({ colorScheme: 'dark' })
  const statuses = { createWorkflow: 201, requestUpload: 200, putObject: 200, confirmUpload: 200, executeWorkflow: 202 }
  for (const [step, status] of nonEmpty(Object.entries({ ...statuses, getWorkflow: 200 })))
    expect(await sent(page, step), step).toBe(String(status))
  const shown = (name: string) => page.locator('#getWorkflow').getByRole('group', { name }).textContent()
  expect(await shown('Headers')).toContain('content-type: application/json')
  expect(await shown('Body')).toContain('"execution_id"')
  expect(await narrowerThan(page)).toEqual([])
  expect(complaints).toEqual([])
})

/** The calls about things that an empty tenant does not have. The log has the requests of other tests too. */
const refusedOnEmpty: Readonly<Record<string, string | RegExp>> = {
  branchTenant: '400',
  readWorkflow: '404',
  readExecution: '404',
  readObject: '404',
  readRequest: /^(200|404)/,
  writeObject: '404',
  decideStep: '404',
}

/** Sends the calls of forms one after the other, within the page. Returns the statuses that it shows. */
async function sendEach(ids: readonly string[]): Promise<string[]> {
  const statuses: string[] = []
  for (const id of ids) {
    const card = document.getElementById(id)
    ;[...(card?.querySelectorAll('button') ?? [])].find(({ textContent }) => textContent === 'Send')?.click()
    let badge: Element | null | undefined
    while (!badge) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      badge = card?.querySelector('.result .badge')
    }
    statuses.push(badge.textContent ?? '')
  }
  return statuses
}

test('every operation of the admin API can be sent from the page', async () => {
  const { page } = await openedToTry()
  const ids = operationsOf(readYaml('src/contract/admin.yaml')).map(({ operationId }) => operationId)
  const statuses = await page.evaluate(sendEach, ids)
  for (const [index, id] of nonEmpty([...ids.entries()])) {
    expect(statuses[index], id).toMatch(refusedOnEmpty[id] ?? /^20[014]$/)
  }
})

test('the key is nowhere but in the page, and gone after a reload', async () => {
  const { page, key } = await openedToTry()
  await key.fill('test_secret_of_mine')
  await sent(page, 'createWorkflow')
  const kept = () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])
  expect(await page.evaluate(kept)).not.toContain('test_secret_of_mine')
  await page.reload()
  expect(await key.inputValue()).toBe('test_demo')
})

test('what the reader changed in a form stays as it is', async () => {
  const { page } = await openedToTry()
  const field = page.locator('#getWorkflow-workflow_id')
  await field.fill('wf_mine')
  await sent(page, 'createWorkflow')
  expect(await field.inputValue()).toBe('wf_mine')
  expect(await page.locator('#executeWorkflow-workflow_id').inputValue()).toMatch(/^wf_(?!7h2k)/)
})

test('pages that were written for a server send calls to it from a folder', async () => {
  const site = scratch()
  const { code } = await runHere(['docs', '--out', site, '--server-url', server.url])
  expect(code).toBe(0)
  const { page, before } = await openedToTry(`${pathToFileURL(site)}/`)
  expect(before).toBe('')
  expect(await sent(page, 'createWorkflow')).toBe('201')
  expect(await page.locator('#admin').isVisible()).toBe(false)
  await page.context().setOffline(true)
  expect(await sent(page, 'getWorkflow')).toBe('No answer')
})
