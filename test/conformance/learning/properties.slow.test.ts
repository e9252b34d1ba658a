import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compile, type Json } from '../../../src/profile/template.ts'
import { character } from '../../support/character.ts'
import { draws } from '../../support/sample.ts'
import {
  deploymentTemplate,
  learned,
  livelyTemplate,
  luck,
  sampleOf,
  samplesOf,
  severalFacts,
  written,
} from './templates.ts'

const runs = { numRuns: draws(300) }

test('a template reproduces every answer that it was made from', () => {
  fc.assert(
    fc.property(deploymentTemplate, severalFacts, (theirs, facts) => {
      const samples = samplesOf(theirs, facts)
      const { template, guesses } = learned(samples)
      expect(guesses).toEqual([])
      for (const { facts, value } of samples) expect(written(template, facts)).toEqual(value)
    }),
    runs,
  )
})

test('a template answers a call that it has not seen as the deployment does', () => {
  fc.assert(
    fc.property(deploymentTemplate, severalFacts, severalFacts, (theirs, seen, others) => {
      const { template } = learned(samplesOf(theirs, [...seen, ...others.slice(1)]))
      for (const { facts, value } of samplesOf(theirs, others.slice(0, 1))) {
        expect(written(template, facts)).toEqual(value)
      }
    }),
    runs,
  )
})

test('more samples never turn what followed a fact into a constant', () => {
  fc.assert(
    fc.property(livelyTemplate, severalFacts, severalFacts, (theirs, some, more) => {
      const few = learned(samplesOf(theirs, some)).template
      const samples = samplesOf(theirs, [...some, ...more])
      const many = learned(samples).template
      expect(variablesOf(many)).toEqual(expect.arrayContaining(variablesOf(few)))
    }),
    runs,
  )
})

test('an answer seen once is repeated as it was, whatever is in it', () => {
  const text = fc.string({ unit: character }).filter((one) => !/\d{4}/.test(one))
  const scalar = fc.oneof(text, fc.integer({ min: -9999, max: 9999 }), fc.boolean(), fc.constant(null))
  const { value } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, scalar, fc.array(tie('value')), fc.dictionary(fc.oneof(text, odd), tie('value'))),
  }))
  fc.assert(
    fc.property(value, (answer) => {
      const sample = sampleOf({}, answer)
      const { template } = learned([sample])
      expect(compile(template).render(sample.facts, luck)).toEqual(answer)
    }),
    runs,
  )
})

test('a prepared answer is the text of the rendered one', () => {
  fc.assert(
    fc.property(livelyTemplate, severalFacts, (template, facts) => {
      const compiled = compile(template)
      for (const one of facts) {
        expect(compiled.prepare(one, luck)(one, luck)).toBe(JSON.stringify(compiled.render(one, luck)))
      }
    }),
    runs,
  )
})

const odd = fc.constantFrom('$', '$new', '$members', '__proto__', 'constructor', 'toString', 'a/b', '~')

/** The places of a template that are no constants, with lists of items as one place. */
function variablesOf(template: Json, at = ''): string[] {
  if (template === null || typeof template !== 'object') return []
  if (Array.isArray(template)) return template.flatMap((one: Json, index) => variablesOf(one, `${at}/${index}`))
  const { $members: members } = template as { $members?: Json }
  if (members !== undefined) return variablesOf(members, at)
  if (Object.keys(template).some((name) => name.startsWith('$'))) return [at]
  return Object.entries(template).flatMap(([name, one]) => variablesOf(one, `${at}/${name}`))
}
