/** The file of what a front end reads: its format, and how files become one. */
import { isObject } from '../contract/json.ts'
import { type OperationId, operations } from '../contract/operations.ts'
import { type JsonType, type ReadUse, typeNames, useNames } from './tracker.ts'

/** The places of the service's answers that a front end reads. */
export interface ReadsFile {
  /** The version of the format. */
  readonly version: 1
  /** In the order of the calls in the contract, then by status and place. */
  readonly places: readonly ReadPlace[]
}

/** A place in the answers of a call that the front end uses. */
export interface ReadPlace {
  readonly operation: OperationId
  /** The status of the answers. */
  readonly status: number
  /** JSON Pointer (RFC 6901) into their bodies, in which `*` is any item of a list. */
  readonly place: string
  /** How it was used. */
  readonly uses: readonly ReadUse[]
  /** The types of the values that were read there. */
  readonly types: readonly JsonType[]
  /** The tests that were running, each as its file and its name with ` > ` between them. */
  readonly tests: readonly string[]
}

/** Collects the places that are used. */
export class ReadPlaces {
  readonly #places = new Map<string, { readonly at: PlaceName; readonly seen: Seen }>()

  /** Adds a use of a place. */
  add(at: PlaceName, use: ReadUse, type?: JsonType, test?: string): void {
    const { uses, types, tests } = this.#seenAt(at)
    uses.add(use)
    if (type !== undefined) types.add(type)
    if (test !== undefined) tests.add(test)
  }

  /** Adds all places of a file. */
  addFile({ places }: ReadsFile): void {
    for (const { uses, types, tests, ...at } of places) {
      const seen = this.#seenAt(at)
      for (const use of uses) seen.uses.add(use)
      for (const type of types) seen.types.add(type)
      for (const test of tests) seen.tests.add(test)
    }
  }

  #seenAt(at: PlaceName): Seen {
    const key = `${at.operation} ${at.status} ${at.place}`
    const known = this.#places.get(key)
    if (known) return known.seen
    const seen: Seen = { uses: new Set(), types: new Set(), tests: new Set() }
    this.#places.set(key, { at, seen })
    return seen
  }

  /** Returns the places as a file. The same uses make the same file, in whatever order they came. */
  toFile(): ReadsFile {
    const places = [...this.#places.values()].map(({ at: { operation, status, place }, seen }) => ({
      operation,
      status,
      place,
      uses: useNames.filter((use) => seen.uses.has(use)),
      types: typeNames.filter((type) => seen.types.has(type)),
      tests: [...seen.tests].sort(),
    }))
    return { version: 1, places: places.sort(compare) }
  }
}

type PlaceName = Pick<ReadPlace, 'operation' | 'status' | 'place'>

interface Seen {
  readonly uses: Set<ReadUse>
  readonly types: Set<JsonType>
  readonly tests: Set<string>
}

const order = Object.keys(operations)

function compare(a: PlaceName, b: PlaceName): number {
  return (
    order.indexOf(a.operation) - order.indexOf(b.operation) ||
    a.status - b.status ||
    (a.place < b.place ? -1 : Number(a.place > b.place))
  )
}

/** Returns one file with the places of several. */
export function mergeReads(files: readonly ReadsFile[]): ReadsFile {
  const places = new ReadPlaces()
  for (const file of files) places.addFile(file)
  return places.toFile()
}

/** Returns a file without what the tests of one file read. Places that nothing else read are left out. */
export function withoutTestsOf({ places }: ReadsFile, testFile: string): ReadsFile {
  const kept = places.flatMap((place) => {
    const tests = place.tests.filter((test) => test !== testFile && !test.startsWith(`${testFile} > `))
    return tests.length > 0 || place.tests.length === 0 ? [{ ...place, tests }] : []
  })
  return { version: 1, places: kept }
}

/** Returns the text of a file. */
export function textOfReads(file: ReadsFile): string {
  return `${JSON.stringify(file, null, 2)}\n`
}

/** Describes the first mistake in a file. A test compares these rules with the schema. */
export function flawOfReads(value: unknown): string | undefined {
  if (!isObject(value)) return 'it is not an object'
  const unknown = Object.keys(value).find((name) => !['$schema', 'version', 'places'].includes(name))
  if (unknown !== undefined) return `the field '${unknown.slice(0, 60)}' is unknown`
  if (value.$schema !== undefined && typeof value.$schema !== 'string') return '/$schema is not a text'
  if (value.version !== 1) {
    const isNewer = typeof value.version === 'number' && value.version > 1
    return `/version is ${JSON.stringify(value.version)?.slice(0, 20)}, and only 1 is known${isNewer ? '; update countersign' : ''}`
  }
  if (!Array.isArray(value.places)) return '/places is not a list'
  for (const [index, place] of value.places.entries()) {
    const flaw = flawOfPlace(place)
    if (flaw) return `/places/${index}${flaw}`
  }
  return undefined
}

const members = ['operation', 'status', 'place', 'uses', 'types', 'tests']

function flawOfPlace(value: unknown): string | undefined {
  if (!isObject(value)) return ' is not an object'
  const unknown = Object.keys(value).find((name) => !members.includes(name))
  if (unknown !== undefined) return ` has the unknown field '${unknown.slice(0, 60)}'`
  const { operation, status, place, uses, types, tests } = value
  if (!order.some((one) => one === operation)) return '/operation is no call of the contract'
  if (!Number.isInteger(status) || Number(status) < 100 || Number(status) > 599) return '/status is not a status'
  if (typeof place !== 'string' || !/^(\/([^~]|~[01])*)?$/.test(place))
    return '/place is not a JSON Pointer, which begins with a slash'
  if (!isListOf(uses, useNames) || uses.length === 0) return `/uses is not a list of ${useNames.join(', ')}`
  if (!isListOf(types, typeNames)) return `/types is not a list of ${typeNames.join(', ')}`
  if (!Array.isArray(tests) || tests.some((test) => typeof test !== 'string')) return '/tests is not a list of texts'
  return undefined
}

function isListOf(value: unknown, names: readonly string[]): value is string[] {
  return Array.isArray(value) && value.every((one) => names.includes(one))
}
