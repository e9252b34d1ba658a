import fc from 'fast-check'
import { type Node, resolve } from '../../scripts/contract.ts'
import { character } from './character.ts'

/** Keywords that do not restrict values. */
const annotations = ['description', 'examples', 'default', 'x-requirement', 'x-gap']

/** The supported keywords of each type. */
const keywords: Record<string, readonly string[]> = {
  object: ['properties', 'required'],
  array: ['items', 'minItems', 'maxItems', 'x-unique-by'],
  string: ['minLength', 'maxLength', 'pattern', 'format', 'enum'],
  integer: ['minimum', 'maximum'],
  number: ['minimum', 'maximum'],
  boolean: [],
}

/** Returns a resolved schema of the contract. Throws on an unsupported keyword, so that no rule is ignored. */
export function known(document: Node, node: Node): Node {
  const schema = resolve(document, node)
  const unknown = Object.keys(schema).filter(
    (name) => name !== 'type' && !annotations.includes(name) && !keywords[schema.type]?.includes(name),
  )
  if (unknown.length > 0) throw new Error(`Values of type ${schema.type} cannot be drawn by ${unknown.join(', ')}.`)
  return schema
}

/** Draws values that a schema of the contract allows. */
export function arbitraryOf(document: Node, node: Node): fc.Arbitrary<Node> {
  const schema = known(document, node)
  switch (schema.type) {
    case 'object':
      return object(document, schema)
    case 'array':
      return boundedArray(document, schema)
    case 'string':
      return string(schema)
    case 'number':
      return fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? Number.MAX_SAFE_INTEGER, noNaN: true })
    case 'integer':
      return fc.integer({ min: schema.minimum, max: schema.maximum ?? Number.MAX_SAFE_INTEGER })
    default:
      return fc.boolean()
  }
}

/** Draws objects, some with members that the contract does not know; these are ignored (gap.unknown-fields). */
function object(document: Node, { properties, required }: Node): fc.Arbitrary<Node> {
  const members = Object.entries(properties).map(([name, member]) => [name, arbitraryOf(document, member)])
  const own = fc.record<Node>(Object.fromEntries(members), { requiredKeys: required })
  const names = fc.string({ unit: 'grapheme' }).filter((name) => name !== '__proto__' && !(name in properties))
  const others = fc.dictionary(names, fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.constant(null)), {
    maxKeys: 2,
  })
  return fc.oneof({ weight: 4, arbitrary: own }, { weight: 1, arbitrary: merge(others, own) })
}

function merge(...parts: fc.Arbitrary<Node>[]): fc.Arbitrary<Node> {
  return fc.tuple(...parts).map((drawn) => Object.assign({}, ...drawn))
}

/** Draws mostly small arrays, and occasionally one of the maximum length. */
function boundedArray(document: Node, schema: Node): fc.Arbitrary<Node[]> {
  const { minItems = 0, maxItems = 100 } = schema
  const small = array(document, schema, minItems, maxItems)
  return fc.oneof(
    { weight: 99, arbitrary: small },
    { weight: 1, arbitrary: array(document, schema, maxItems, maxItems) },
  )
}

/** Draws arrays within the given bounds instead of those of the schema. */
export function array(document: Node, schema: Node, minLength: number, maxLength: number): fc.Arbitrary<Node[]> {
  const items = arbitraryOf(document, schema.items)
  const bounds = { minLength, maxLength, size: 'xsmall' } as const
  const unique = schema['x-unique-by']
  if (unique === undefined) return fc.array(items, bounds)
  return fc.uniqueArray(items, { ...bounds, selector: (item) => item[unique] })
}

function string(schema: Node): fc.Arbitrary<string> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const { minLength = 0, maxLength = 1000 } = schema
  const fitting = shapes(schema).filter((text) => charactersOf(text) >= minLength && charactersOf(text) <= maxLength)
  if (schema.maxLength === undefined) return fitting
  const longest = fitting.map((text) => stretch(schema, text, maxLength))
  return fc.oneof({ weight: 9, arbitrary: fitting }, { weight: 1, arbitrary: longest })
}

const year9999 = new Date('9999-12-31T23:59:59Z')

/** Draws texts with the format and the pattern of a schema, of any length. */
function shapes({ format, pattern }: Node): fc.Arbitrary<string> {
  if (format === 'email') return fc.emailAddress()
  if (format === 'uuid') return fc.uuid()
  if (format === 'date-time')
    return fc.date({ noInvalidDate: true, min: new Date(0), max: year9999 }).map((date) => date.toISOString())
  if (pattern === undefined) return anyText
  const expression = new RegExp(pattern, 'u')
  return pattern.includes('(?!') ? anyText.filter((text) => expression.test(text)) : fc.stringMatching(expression)
}

/** Texts of ordinary characters, and texts of any characters. */
export const anyText = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: character }))

/** Pads a text to a length: at the end if its format and pattern allow that, otherwise at the beginning. */
export function stretch({ format, pattern = '' }: Node, text: string, length: number): string {
  const more = 'a'.repeat(Math.max(length - charactersOf(text), 0))
  return format !== 'email' && new RegExp(pattern, 'u').test(text + more) ? text + more : more + text
}

/** Counts characters as JSON Schema does: in code points (RFC 8259). */
function charactersOf(text: string): number {
  return [...text].length
}
