import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { operations } from '../../src/contract/operations.ts'
import { flawOfReads, mergeReads, type ReadsFile, textOfReads, withoutTestsOf } from '../../src/reads/reads-file.ts'
import { typeNames, useNames } from '../../src/reads/tracker.ts'
import { cases } from '../support/sample.ts'

const schema = JSON.parse(readFileSync(new URL('../../src/reads/reads.schema.json', import.meta.url), 'utf8'))
const isValid = new Ajv2020({ strict: true }).compile(schema)

const tests = ['a.test.ts', 'a.test.ts > shows', 'b.test.ts > lists', 'a.test.tsx > shows']
const place = fc.record({
  operation: fc.constantFrom(...(Object.keys(operations) as (keyof typeof operations)[])),
  status: fc.constantFrom(100, 200, 201, 404, 599),
  place: fc.constantFrom('', '/name', '/steps/*/name', '/a~1b'),
  uses: fc.subarray([...useNames], { minLength: 1 }),
  types: fc.subarray([...typeNames]),
  tests: fc.subarray(tests),
})
const file: fc.Arbitrary<ReadsFile> = fc
  .array(place, { maxLength: 6 })
  .map((places) => mergeReads([{ version: 1, places }]))

test('merging files does not depend on their order, and adds nothing twice', () => {
  fc.assert(
    fc.property(file, file, file, (a, b, c) => {
      const all = mergeReads([a, b, c])
      expect(mergeReads([c, mergeReads([b, a])])).toEqual(all)
      expect(mergeReads([all, a, all])).toEqual(all)
      expect(mergeReads([a])).toEqual(a)
    }),
  )
})

test('what a file of tests read is removed, and nothing else', () => {
  fc.assert(
    fc.property(file, (reads) => {
      const left = withoutTestsOf(reads, 'a.test.ts')
      const named = left.places.flatMap((one) => one.tests)
      expect(named.filter((test) => test === 'a.test.ts' || test.startsWith('a.test.ts > '))).toEqual([])
      const isOther = (one: (typeof reads.places)[number]) =>
        one.tests.length === 0 || one.tests.some((test) => !['a.test.ts', 'a.test.ts > shows'].includes(test))
      expect(left.places.length).toBe(reads.places.filter(isOther).length)
    }),
  )
})

test('a written file is read again, and is valid against the schema', () => {
  fc.assert(
    fc.property(file, (reads) => {
      expect(JSON.parse(textOfReads(reads))).toEqual(reads)
      expect(isValid(reads), JSON.stringify(isValid.errors)).toBe(true)
    }),
  )
})

test('a damaged file is refused if and only if the schema refuses it', () => {
  const members = '$schema version places operation status place uses types tests more'
  const wrong = [undefined, null, 1, 2, 99, 404.5, 600, 'x', '/a', '/a~2', '', [], ['x'], ['value'], [1], {}]
  const damage = fc.record({
    member: fc.constantFrom(...members.split(' ')),
    value: fc.constantFrom<unknown>(...wrong),
  })
  const some = fc.array(place, { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(some, damage, fc.boolean(), (places, { member, value }, isOutside) => {
      const read: { places: object[] } & Record<string, unknown> = { version: 1, places: structuredClone(places) }
      Object.assign(isOutside ? read : (read.places[0] ?? {}), { [member]: value })
      const text = JSON.stringify(read)
      expect(flawOfReads(JSON.parse(text)) === undefined, text).toBe(isValid(JSON.parse(text)))
    }),
    { numRuns: cases(500, 50) },
  )
})

test.each([
  ['[]', 'it is not an object'],
  ['{"version":2,"places":[]}', '/version is 2, and only 1 is known; update countersign'],
  ['{"version":1,"places":[{}]}', '/places/0/operation is no call of the contract'],
])('%#: says what is wrong with a file', (text, flaw) => {
  expect(flawOfReads(JSON.parse(text))).toBe(flaw)
})
