import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { gapIds, requirement, requirementIds } from '../../conformance/catalogue/catalogue.ts'
import { mutants } from '../../conformance/selftest/mutants/index.ts'
import { escapeMarkup } from '../../conformance/wire/inert.ts'
import { citationsOf } from '../../scripts/citations.ts'
import { readYaml } from '../../scripts/contract.ts'
import { errorsPage } from '../../scripts/docs/errors.ts'
import { pages } from '../../scripts/docs/page.ts'
import { questionsPage } from '../../scripts/docs/questions.ts'
import { traceabilityPage } from '../../scripts/docs/traceability.ts'
import { contract } from '../support/contract.ts'
import { elementsOf } from '../support/markup.ts'
import { nonEmpty } from '../support/non-empty.ts'

const kills: Record<string, string[]> = JSON.parse(
  readFileSync(new URL('../../conformance/selftest/kills.gen.json', import.meta.url), 'utf8'),
)
const written = {
  'questions.html': questionsPage(citationsOf(contract, 'x-gap')),
  'traceability.html': traceabilityPage(citationsOf(contract, 'x-requirement'), kills),
  'errors.html': await errorsPage(contract, readYaml('src/contract/admin.yaml')),
}

const idsOf = (text: string) => elementsOf(text).flatMap(({ attributes }) => attributes.id ?? [])

test.each(nonEmpty(Object.entries(written)))('%s is well-formed, has no script, and fetches nothing', (_, text) => {
  const elements = elementsOf(text)
  expect(elements.filter(({ name }) => ['script', 'link', 'img', 'iframe', 'form'].includes(name))).toEqual([])
  expect(text).toContain("default-src 'none'")
})

test.each(nonEmpty(Object.entries(written)))(
  'the links of %s lead to pages and to places that there are',
  (_, text) => {
    const links = elementsOf(text).flatMap(({ attributes }) => attributes.href ?? [])
    const ids = idsOf(text)
    expect(links).toEqual(expect.arrayContaining(Object.keys(pages)))
    expect(links.filter((link) => (link.startsWith('#') ? !ids.includes(link.slice(1)) : !(link in pages)))).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
  },
)

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

test('the page of errors is the same however often it is built', async () => {
  const again = await errorsPage(contract, readYaml('src/contract/admin.yaml'))
  expect(again === written['errors.html']).toBe(true)
})
