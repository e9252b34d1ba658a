import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { gap, gapIds, requirement, requirementIds } from '../../conformance/catalogue.ts'
import { checks } from '../../conformance/checks/index.ts'
import { operationsOf, resolve } from '../../scripts/contract.ts'
import { contract, flawsOf } from '../support/contract.ts'

/** Every value of an extension, wherever it stands in the contract. */
function cited(extension: string, node: unknown = contract): string[] {
  if (node === null || typeof node !== 'object') return []
  return Object.entries(node).flatMap(([name, value]) =>
    name === extension ? [value].flat() : cited(extension, value),
  )
}

const interfaceText = readFileSync(new URL('../../docs/interface.md', import.meta.url), 'utf8')
const sections = new Set([...interfaceText.matchAll(/^#{2,3} (\d+(?:\.\d+)?)[. ]/gm)].map((match) => match[1]))

test('every documented requirement is cited in the contract, and every one that is cited exists', () => {
  const documented = requirementIds.filter((id) => requirement(id).provenance === 'documented')
  expect([...new Set(cited('x-requirement'))].sort()).toEqual(documented.sort())
})

test('every gap is cited in the contract, and every one that is cited exists', () => {
  expect([...new Set(cited('x-gap'))].sort()).toEqual([...gapIds].sort())
})

test('every requirement that a client can observe has exactly one check, and no other has any', () => {
  const observable = requirementIds.filter((id) => !requirement(id).unobservable)
  expect(checks.map(({ id }) => id).sort()).toEqual([...observable].sort())
})

const ofInterface = requirementIds.map(requirement).filter(({ provenance }) => provenance === 'documented')

test.each([...ofInterface, ...gapIds.map(gap)])('section $section exists', (entry) => {
  const also = 'also' in entry ? (entry.also ?? []) : []
  for (const section of [entry.section, ...also]) expect(sections).toContain(section)
})

test('a requirement that is implied says from what', () => {
  const implied = requirementIds.map(requirement).filter(({ basis }) => basis === 'implied')
  expect(implied.length).toBeGreaterThan(0)
  for (const { inference } of implied) expect(inference).toBeTruthy()
})

test('ids are words', () => {
  for (const id of [...requirementIds, ...gapIds]) expect(id).toMatch(/^[a-z-]+\.[a-z0-9-]+$/)
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

test.each(examples.filter(({ title }) => !title.includes('*/*')))(
  '$title has examples, and they are valid',
  (entry) => {
    expect(entry.values.length).toBeGreaterThan(0)
    for (const value of entry.values) expect(flawsOf(entry.schema, value)).toEqual([])
  },
)

test('every optional field of a request has a default, so handlers never meet a field that is absent', () => {
  for (const { definition } of operationsOf(contract)) {
    const schema = resolve(contract, resolve(contract, definition.requestBody)?.content['application/json']?.schema)
    for (const [name, field] of Object.entries<object>(schema?.properties ?? {})) {
      if (!schema.required.includes(name)) expect(field, name).toHaveProperty('default')
    }
  }
})
