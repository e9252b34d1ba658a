import { expect, test } from 'vitest'
import { openedScript } from '../support/pages.ts'
import { freshKey } from '../support/service.ts'
import { sharedMock } from '../support/started.ts'
import type {} from './pages/reads.ts'

const mock = await sharedMock()

type Way = Parameters<typeof globalThis.reading.read>[2]

async function readAs(way: Way, isIntercepted = false) {
  const { page, complaints } = await openedScript('reads.ts', 'reading')
  const given = [mock.url, freshKey(), way, isIntercepted] as const
  const { found, places } = await page.evaluate((all) => globalThis.reading.read(...all), given)
  expect(complaints).toEqual([])
  const shown = places.map(({ operation, status, place, uses }) => `${operation} ${status} ${place} ${uses.join()}`)
  expect(shown[0]).toBe('createWorkflow 201 /workflow_id value')
  expect(places.every(({ tests }) => tests.join() === way)).toBe(true)
  return [found, ...shown.slice(1)]
}

test.each([
  ['text that is parsed', 'text', 'Contract', 'getWorkflow 200 /name value'],
  ['JSON', 'json', 'Contract,true', 'getWorkflow 200 /name value'],
  ['bytes that are decoded and parsed', 'bytes', 'Contract', 'getWorkflow 200 /name value'],
  ['text that nothing parses', 'unparsed', true, 'getWorkflow 200  text'],
] as const)('XMLHttpRequest is tracked with %s', async (_, way, found, place) => {
  expect(await readAs(way)).toEqual([found, place])
})

test('answers of XMLHttpRequest that code never reads are not tracked', async () => {
  expect(await readAs('ignored')).toEqual([undefined])
})

test('text of fetch that nothing parses is listed as such', async () => {
  expect(await readAs('fetch as text')).toEqual([expect.any(Number), 'getWorkflow 200  text'])
})

test('what MSW’s interceptor answers is tracked as text, and listed otherwise', async () => {
  expect(await readAs('text', true)).toEqual(['Contract', 'getWorkflow 200 /name value'])
  expect((await readAs('json', true)).at(-1)).toBe('getWorkflow 200  text')
})
