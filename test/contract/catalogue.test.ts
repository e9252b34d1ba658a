import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { gap, gapIds, requirement, requirementIds } from '../../conformance/catalogue/catalogue.ts'
import { checks } from '../../conformance/judging/checks.ts'
import { observableGaps } from '../../conformance/judging/questions.ts'
import { citationsOf } from '../../scripts/citations.ts'
import { operationsOf, resolve } from '../../scripts/contract.ts'
import { contract, flawsOf } from '../support/contract.ts'
import { nonEmpty } from '../support/non-empty.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const idsOf = (extension: 'x-requirement' | 'x-gap') =>
  [...new Set(citationsOf(contract, extension).map(({ id }) => id))].sort()

const interfaceText = read('docs/interface.md')
const sections = new Set([...interfaceText.matchAll(/^#{2,3} (\d+(?:\.\d+)?)[. ]/gm)].map((match) => match[1]))

test('every documented requirement is cited in the contract, and none else', () => {
  const documented = requirementIds.filter((id) => requirement(id).provenance === 'documented')
  expect(idsOf('x-requirement')).toEqual(documented.sort())
})

test('every gap is cited in the contract, and every one that is cited exists', () => {
  expect(idsOf('x-gap')).toEqual([...gapIds].sort())
})

test('every requirement that a client can observe has exactly one check', () => {
  const observable = requirementIds.filter((id) => !requirement(id).unobservable)
  expect(checks.map(({ id }) => id).sort()).toEqual([...observable].sort())
})

const ofInterface = requirementIds.map(requirement).filter(({ provenance }) => provenance === 'documented')

test('the sections that requirements and gaps name exist', () => {
  const named = [...ofInterface, ...gapIds.map(gap)].flatMap((entry) => [
    entry.section,
    ...('also' in entry ? (entry.also ?? []) : []),
  ])
  expect(nonEmpty(named).filter((section) => !sections.has(section))).toEqual([])
})

/** Returns the text of a section with its subsections. */
function sectionText(section: string): string {
  const [, text = ''] = interfaceText.split(new RegExp(`^#{2,3} ${section.replace('.', '\\.')}(?:\\. | )`, 'm'))
  return text.split(section.includes('.') ? /^#{2,3} /m : /^## /m)[0] ?? ''
}

test('every documented requirement quotes its section word for word', () => {
  for (const id of nonEmpty(requirementIds)) {
    const { provenance, section, also = [], quote } = requirement(id)
    if (provenance !== 'documented') expect(quote, id).toBeUndefined()
    else expect(quote && [section, ...also].some((name) => sectionText(name).includes(quote)), id).toBe(true)
  }
})

test('every gap is answered by the suite, or says how to find out', () => {
  expect(new Set(observableGaps).size).toBe(observableGaps.length)
  for (const id of nonEmpty(gapIds)) expect(gap(id).ask === undefined, id).toBe(observableGaps.includes(id))
})

test('the profile entries that gaps name exist', () => {
  const { properties } = JSON.parse(read('src/profile/profile.schema.json'))
  const named = Object.keys(properties.locators.properties).map((name) => `locators.${name}`)
  const given = gapIds.flatMap((id) => gap(id).profile ?? [])
  expect(new Set(given).size).toBe(given.length)
  expect([...given].sort()).toEqual([...named, 'testKeyPattern'].sort())
})

test('a requirement that is implied says from what', () => {
  const implied = requirementIds.map(requirement).filter(({ basis }) => basis === 'implied')
  expect(implied.length).toBeGreaterThan(0)
  for (const { inference } of nonEmpty(implied)) expect(inference).toBeTruthy()
})

test('ids are words', () => {
  const ids = nonEmpty([...requirementIds, ...gapIds])
  expect(ids.filter((id) => !/^[a-z-]+\.[a-z0-9-]+$/.test(id))).toEqual([])
})

const examples = operationsOf(contract).flatMap(({ operationId, definition }) => {
  const body = resolve(contract, definition.requestBody)
  const parts = [...(body ? [['request', body]] : []), ...Object.entries(definition.responses)]
  return parts.flatMap(([name, part]) =>
    Object.entries<{ schema: object; examples?: object }>(resolve(contract, part).content ?? {}).map(
      ([type, { schema, examples }]) => ({
        title: `${operationId} ${name} ${type}`,
        schema,
        values: Object.values(examples ?? {}).map((example) => resolve(contract, example).value),
      }),
    ),
  )
})

test('every body of the contract has examples, and they are valid', () => {
  const flaws = nonEmpty(examples.filter(({ title }) => !title.includes('*/*'))).flatMap(
    ({ title, schema, values }) => {
      const found = values.length === 0 ? ['there is none'] : values.flatMap((value) => flawsOf(schema, value))
      return found.map((flaw) => `${title}: ${flaw}`)
    },
  )
  expect(flaws).toEqual([])
})

test('every optional field of the document has a default', () => {
  const optional = operationsOf(contract).flatMap(({ definition }) => {
    const schema = resolve(contract, resolve(contract, definition.requestBody)?.content['application/json']?.schema)
    return Object.entries<object>(schema?.properties ?? {}).filter(([name]) => !schema.required.includes(name))
  })
  const documented = optional.filter(([, field]) => 'x-requirement' in field)
  for (const [name, field] of nonEmpty(documented)) expect(field, name).toHaveProperty('default')
})
