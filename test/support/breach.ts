import fc from 'fast-check'
import type { Node } from '../../scripts/contract.ts'
import { anyText, arbitraryOf, array, known, stretch } from './arbitrary.ts'

/** A rule of a schema, with values that break only this rule. */
export interface Breach {
  /** The keyword. */
  readonly rule: string
  /** The place of the rule, with `*` for any index. */
  readonly place: string
  /** A value, and the JSON Pointer to what is wrong in it. */
  readonly drawn: fc.Arbitrary<{ readonly value: Node; readonly pointer: string }>
}

/** Returns every rule about members and items of a schema, each with values that break only this rule. */
export function breachesOf(document: Node, node: Node): Breach[] {
  const schema = known(document, node)
  if (schema.type === 'object') return ofMembers(document, schema)
  return schema.type === 'array' ? ofItems(document, schema) : []
}

/** Returns the rules about members and items, and those about the value itself. */
function allBreachesOf(document: Node, node: Node): Breach[] {
  const own = ownRules(document, known(document, node)).map(([rule, values]): Breach => {
    return { rule, place: '', drawn: values.map((value) => ({ value, pointer: '' })) }
  })
  return [...own, ...breachesOf(document, node)]
}

function ofMembers(document: Node, schema: Node): Breach[] {
  const sound = arbitraryOf(document, schema)
  const missing = schema.required.map((name: string): Breach => {
    const drawn = sound.map(({ [name]: _, ...value }) => ({ value, pointer: `/${name}` }))
    return { rule: 'required', place: `/${name}`, drawn }
  })
  const inside = Object.entries(schema.properties).flatMap(([name, member]) =>
    allBreachesOf(document, member).map(({ rule, place, drawn }): Breach => {
      const broken = fc.tuple(sound, drawn).map(([object, { value, pointer }]) => {
        return { value: { ...object, [name]: value }, pointer: `/${name}${pointer}` }
      })
      return { rule, place: `/${name}${place}`, drawn: broken }
    }),
  )
  return [...missing, ...inside]
}

function ofItems(document: Node, schema: Node): Breach[] {
  const unique = schema['x-unique-by']
  const sound = array(document, schema, 1, 4)
  return allBreachesOf(document, schema.items).map(({ rule, place, drawn }) => {
    const broken = fc
      .tuple(sound, fc.nat(), drawn)
      .map(([items, draw, { value, pointer }]) => {
        const index = draw % items.length
        return { value: items.with(index, value), pointer: `/${index}${pointer}` }
      })
      .filter(
        ({ value }) => unique === undefined || new Set(value.map((item: Node) => item?.[unique])).size === value.length,
      )
    return { rule, place: `/*${place}`, drawn: broken }
  })
}

/** Values that break only one keyword, by its name. */
const breakers: Readonly<Record<string, (schema: Node, document: Node) => fc.Arbitrary<Node>>> = {
  type: ({ type }) => fc.constantFrom(...otherTypes(type)),
  enum: (schema) => anyText.filter((value) => !schema.enum.includes(value)),
  minLength: () => fc.constant(''),
  maxLength: (schema, document) =>
    fc
      .tuple(arbitraryOf(document, schema), fc.integer({ min: 1, max: 3 }))
      .map(([value, more]) => stretch(schema, value, schema.maxLength + more)),
  pattern: ({ pattern, maxLength }) => unlike(pattern, maxLength),
  format: () => anyText.filter((value) => !value.includes('@') && !uuid.test(value)),
  minimum: ({ minimum }) => fc.integer({ max: minimum - 1 }),
  maximum: ({ maximum }) => fc.integer({ min: maximum + 1 }),
  minItems: (schema, document) => array(document, schema, 0, schema.minItems - 1),
  maxItems: (schema, document) => array(document, schema, schema.maxItems + 1, schema.maxItems + 2),
  'x-unique-by': (schema, document) =>
    array(document, schema, 1, 4).chain((items) => repeatItem(items, schema['x-unique-by'])),
}

/** Returns the rules about a value itself, without those about its members or items. */
function ownRules(document: Node, schema: Node): [rule: string, values: fc.Arbitrary<Node>][] {
  // Nothing is shorter than a length of 0.
  const rules = Object.keys(breakers).filter((rule) => rule in schema && (rule === 'minimum' || schema[rule] !== 0))
  return rules.map((rule) => [rule, (breakers[rule] as (typeof breakers)['type'])(schema, document)])
}

const uuid = /^[\da-f-]{36}$/i

/** Returns a value of every other type. */
function otherTypes(type: string): Node[] {
  const values = { object: {}, array: [], string: 'text', integer: 1.5, boolean: true, null: null }
  return Object.entries(values).flatMap(([name, value]) => (name === type && type !== 'integer' ? [] : [value]))
}

/** Draws texts that a pattern forbids: random ones, and ones with characters that are forbidden in names and paths. */
function unlike(pattern: string, maxLength = 1000): fc.Arbitrary<string> {
  const expression = new RegExp(pattern, 'u')
  const spoilt = fc.tuple(anyText, fc.constantFrom('/', '\\', '\0', '\n', '\x7f', 'ü')).map((parts) => parts.join(''))
  const dots = fc.constantFrom('.', '..')
  return fc
    .oneof(anyText, spoilt, dots)
    .filter((text) => text !== '' && text.length <= maxLength && !expression.test(text))
}

/** Draws the items with one more that repeats the unique member of another. */
function repeatItem(items: Node[], unique: string): fc.Arbitrary<Node[]> {
  return fc.constantFrom(...items).map((item) => [...items, { ...item, [unique]: item[unique] }])
}
