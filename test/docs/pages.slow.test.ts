import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { gapIds, requirement, requirementIds } from '../../conformance/catalogue/catalogue.ts'
import { mutants } from '../../conformance/selftest/mutants/index.ts'
import { axes } from '../../conformance/selftest/variants/index.ts'
import { escapeMarkup, showHidden } from '../../conformance/wire/inert.ts'
import { citationsOf } from '../../scripts/citations.ts'
import { operationsOf, readYaml } from '../../scripts/contract.ts'
import { searchOf } from '../../scripts/docs/browser/rank.ts'
import { errorsPage } from '../../scripts/docs/errors.ts'
import { guidesPage, troubleshootingPage } from '../../scripts/docs/guides.ts'
import { pageScript } from '../../scripts/docs/index.ts'
import { pages } from '../../scripts/docs/page.ts'
import { questionsPage } from '../../scripts/docs/questions.ts'
import { searchEntries, searchPage } from '../../scripts/docs/search.ts'
import { traceabilityPage } from '../../scripts/docs/traceability.ts'
import { tryPage } from '../../scripts/docs/try.ts'
import { contract } from '../support/contract.ts'
import { blocksOf } from '../support/markdown.ts'
import { elementsOf } from '../support/markup.ts'
import { nonEmpty } from '../support/non-empty.ts'

const kills: Record<string, string[]> = JSON.parse(
  readFileSync(new URL('../../conformance/selftest/kills.gen.json', import.meta.url), 'utf8'),
)
const admin = readYaml('src/contract/admin.yaml')
const entries = searchEntries(contract, admin)
const written = {
  'questions.html': questionsPage(citationsOf(contract, 'x-gap')),
  'traceability.html': traceabilityPage(citationsOf(contract, 'x-requirement'), kills),
  'errors.html': await errorsPage(contract, admin),
  'guides.html': guidesPage(),
  'troubleshooting.html': troubleshootingPage(),
}
const withScripts = {
  'search.html': searchPage(entries, await pageScript('search.ts')),
  'try.html': tryPage(contract, admin, await pageScript('try.ts')),
}
const all: Readonly<Record<string, string>> = { ...written, ...withScripts }

/** A page without the script that runs, which is no markup. */
const markupOf = (text: string) => text.replace(/<script>.*?<\/script>/s, '')
const idsOf = (text: string) => elementsOf(markupOf(text)).flatMap(({ attributes }) => attributes.id ?? [])

test.each(nonEmpty(Object.entries(written)))('%s is well-formed, has no script, and fetches nothing', (_, text) => {
  const elements = elementsOf(text)
  expect(elements.filter(({ name }) => ['script', 'link', 'img', 'iframe'].includes(name))).toEqual([])
  const forms = elements.filter(({ name }) => name === 'form')
  expect(forms.map(({ attributes }) => attributes.action)).toEqual(['search.html'])
  expect(text).toContain("default-src 'none'")
})

test.each(nonEmpty(Object.entries(withScripts)))('%s runs its own small script only', (_, text) => {
  const [, script = ''] = text.match(/<script>(.*?)<\/script>/s) ?? []
  const digest = createHash('sha256').update(script).digest('base64')
  expect(text).toContain(`script-src 'sha256-${digest}'`)
  expect(gzipSync(script).byteLength).toBeLessThan(20_000)
  expect(gzipSync(text).byteLength).toBeLessThan(40_000)
})

test.each(nonEmpty(Object.entries(all)))('the links of %s lead to pages and to places that there are', (_, text) => {
  const links = elementsOf(markupOf(text)).flatMap(({ attributes }) => attributes.href ?? [])
  const ids = idsOf(text)
  expect(links).toEqual(expect.arrayContaining(Object.keys(pages).filter((name) => name !== 'search.html')))
  const isLost = (link: string) => {
    const [name = '', place] = link.split('#')
    if (name !== '' && !(name in pages)) return true
    return place !== undefined && !(name === '' ? ids : idsOf(all[name] ?? '')).includes(place)
  }
  expect(links.filter(isLost)).toEqual([])
  expect(new Set(ids).size).toBe(ids.length)
})

test('each result of the search leads to a place that there is', () => {
  const operations = [contract, admin].flatMap((document) =>
    operationsOf(document).map(({ definition }) => `#/${definition.tags[0]}/${definition.operationId}`.toLowerCase()),
  )
  const lost = entries.filter(({ href }) => {
    const [name = '', place = ''] = href.split(/(?=#)/)
    const text = all[name]
    return !(text === undefined ? operations.includes(place) : idsOf(text).includes(place.slice(1)))
  })
  expect(lost).toEqual([])
  expect(entries.length).toBeGreaterThan(300)
})

test.each([
  ['isSequential', 'Fields', 'isSequential'],
  ['sequential', 'Fields', 'isSequential'],
  ['document not confirmed', 'Errors', '409 document-not-confirmed'],
  ['upload url valid', 'Open questions', 'How long is an upload URL valid?'],
  ['advance', 'Admin API', 'Move the clock forward'],
  ['executeWorkflow', 'API reference', 'Execute a workflow for a document'],
  ['upload expired', 'Open questions', 'How long is an upload URL valid?'],
  ['red run', 'Guides', 'The first red run'],
  ['publish', 'Guides', 'Publish the reference and the open questions'],
  ['port in use', 'Troubleshooting', 'Port … is in use'],
  ['no key', 'Troubleshooting', 'There is no key.'],
  ['excute', 'API reference', 'Execute a workflow for a document'],
])('a search for %j first finds what is meant among %s', (query, kind, title) => {
  const found = searchOf(entries)(query).filter((entry) => entry.kind === kind)
  expect(found[0]?.title).toBe(title)
})

test('an empty search finds nothing, and each word has to be found', () => {
  expect(['  ', 'isSequential zebra'].flatMap(searchOf(entries))).toEqual([])
})

test('each control of the page that sends calls has a label', () => {
  const elements = elementsOf(markupOf(withScripts['try.html']))
  const labelled = elements.flatMap(({ name, attributes }) => (name === 'label' ? (attributes.for ?? []) : []))
  const controls = elements.filter(({ name }) => ['input', 'textarea'].includes(name))
  const bare = controls.filter(({ attributes }) => !attributes['aria-label'] && !labelled.includes(attributes.id ?? ''))
  expect(bare).toEqual([])
})

test('every gap and every requirement has its place', () => {
  expect(idsOf(written['questions.html'])).toEqual(expect.arrayContaining([...gapIds]))
  expect(idsOf(written['traceability.html'])).toEqual(expect.arrayContaining([...requirementIds]))
})

test('the page shows each requirement with its quote and the mutants it catches', () => {
  const cards = written['traceability.html'].split('<article').slice(1)
  for (const id of nonEmpty(requirementIds)) {
    const card = cards.find((text) => text.includes(`id="${id}"`)) ?? ''
    const { quote = '' } = requirement(id)
    expect(card.replaceAll(/<\/?code[^>]*>/g, '')).toContain(escapeMarkup(quote.replaceAll('`', '')))
    const named = mutants.filter((mutant) => card.includes(`<code>${mutant.id}</code>`)).map((mutant) => mutant.id)
    expect(named, id).toEqual(mutants.filter((mutant) => kills[mutant.id]?.includes(id)).map((mutant) => mutant.id))
  }
})

test('traceability lists each mutant, each variant, and why a mutant is harmless', () => {
  const text = written['traceability.html'].replaceAll(/<\/?code[^>]*>/g, '')
  const shown = [
    ...mutants.flatMap(({ id, breaks, inherited = '' }) => [id, breaks, inherited]),
    ...axes.flatMap(({ axis, values }) => [axis, Object.keys(values).join(', ')]),
  ].map((one) => escapeMarkup(showHidden(one.replaceAll('`', ''))))
  expect(nonEmpty(shown).filter((one) => !text.includes(one))).toEqual([])
})

test('the guides are on their page with their code, line by line', () => {
  for (const name of ['screen', 'red-run', 'publish']) {
    const blocks = blocksOf(readFileSync(new URL(`../../docs/guide-${name}.md`, import.meta.url), 'utf8'))
    for (const { text } of nonEmpty(blocks)) {
      expect(written['guides.html']).toContain(`<pre>${escapeMarkup(text.trimEnd())}</pre>`)
    }
  }
})

test('the page of errors is the same however often it is built', async () => {
  expect((await errorsPage(contract, admin)) === written['errors.html']).toBe(true)
})
