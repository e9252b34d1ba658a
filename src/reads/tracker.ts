/** Shows which members of a JSON value are used, through proxies that behave like the value itself. */
import { escapePointer } from '../contract/json.ts'

/**
 * How code used a place. `value`: it read a member. `absent`: it read one that is not there. `asked`: it asked whether there is
 * one, as `in` does. `names`: it listed the names of an object's members. `all`: it copied or listed all members, as a spread does,
 * so that nothing says which of them it needs. `text`: it read the whole body as text or bytes, and did not parse it.
 */
export type ReadUse = (typeof useNames)[number]

export const useNames = ['value', 'all', 'names', 'asked', 'absent', 'text'] as const

/** A JSON type. */
export type JsonType = (typeof typeNames)[number]

export const typeNames = ['string', 'number', 'boolean', 'null', 'list', 'object'] as const

/** Returns the JSON type of a value; undefined if it has none. */
export function typeOfJson(value: unknown): JsonType | undefined {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  const type = typeof value
  return type === 'string' || type === 'number' || type === 'boolean' || type === 'object' ? type : undefined
}

/** Receives each use of a place: a JSON Pointer in which `*` is any item of a list. */
export interface Notes {
  /** Returns the test that is running, if it is known. */
  readonly reader: () => string | undefined
  readonly note: (place: string, use: ReadUse, type: JsonType | undefined, reader: string | undefined) => void
}

/** Members that frameworks, promises and `JSON.stringify` look for in any object. If they are absent, the front end does not need them. */
const probes: ReadonlySet<string> = new Set([
  ...[
    'then',
    'toJSON',
    'constructor',
    'prototype',
    '$$typeof',
    'asymmetricMatch',
    '_isMockFunction',
    '_isVue',
    '__v_skip',
  ],
  ...['nodeType', 'nodeName', 'tagName', 'outerHTML', '@@__IMMUTABLE_ITERABLE__@@', '@@__IMMUTABLE_RECORD__@@'],
  ...['__v_isRef', '__v_isReactive', '__v_isReadonly', '__v_raw', 'isReactComponent', '__esModule'],
])

/** Tracks values, and knows what it tracks. */
export class Tracker {
  /** The value behind each proxy. Its own objects and lists are proxies. */
  readonly #values = new WeakMap<object, object>()
  /** Objects whose members were listed, but not all of them read since. */
  readonly #listed = new Set<Usage>()

  /**
   * Replaces a JSON value by one that looks the same and tells `notes` how it is used. The value itself must have no other user.
   * Objects that are not JSON, such as dates, are left as they are.
   */
  track<Value>(value: Value, notes: Notes): Value {
    return this.#track(value, '', notes, new Map()) as Value
  }

  #track(value: unknown, place: string, notes: Notes, known: Map<object, object>): unknown {
    if (!isPlain(value)) return value
    const before = known.get(value)
    if (before) return before
    const usage = new Usage(value, place, notes, this.#listed)
    const proxy = new Proxy(value, usage)
    usage.proxy = proxy
    known.set(value, proxy)
    this.#values.set(proxy, value)
    for (const [name, member] of Object.entries(value)) {
      // A frozen object, which only a reviver can make, keeps its members.
      const tracked = this.#track(member, `${place}/${usage.stepTo(name)}`, notes, known)
      if (tracked !== member) Reflect.set(value, name, tracked)
    }
    return proxy
  }

  /** Returns a copy of a value without tracking; the value itself if nothing in it is tracked. Counts as a use of all that is tracked. */
  copy<Value>(value: Value): Value {
    return this.#copy(value, new Map()) as Value
  }

  #copy(value: unknown, known: Map<object, unknown>): unknown {
    if (!isPlain(value)) return value
    const before = known.get(value)
    if (before !== undefined) return before
    const isTracked = this.#values.has(value)
    const result: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {}
    known.set(value, result)
    let isChanged = isTracked
    for (const [name, member] of Object.entries(value)) {
      const copied = this.#copy(member, known)
      isChanged ||= copied !== member
      // A member may be called __proto__.
      Object.defineProperty(result, name, { value: copied, writable: true, enumerable: true, configurable: true })
    }
    if (isChanged) return result
    known.set(value, value)
    return value
  }

  /** Notes the uses that were still open, because it was not clear whether all members of an object would be read. */
  settle(): void {
    for (const usage of this.#listed) usage.settle()
  }
}

/** Returns true for what JSON consists of: lists, and objects without a class, of any window or realm. */
function isPlain(value: unknown): value is Record<string, unknown> | unknown[] {
  if (value === null || typeof value !== 'object') return false
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** A read that counts alone only if the other members are not read as well. */
interface Pending {
  readonly place: string
  readonly type: JsonType | undefined
  readonly reader: string | undefined
}

/** Proxy handler that notes which members of an object or a list are used. Everything else is left to the object itself. */
class Usage implements ProxyHandler<object> {
  proxy: object | undefined
  readonly #place: string
  readonly #notes: Notes
  readonly #isList: boolean
  /** The last reader of each member, so that repeated reads cost little. */
  readonly #lastReaders = new Map<string, string | undefined>()
  /** Members that the code under test wrote. */
  readonly #written = new Set<string>()
  readonly #open: Set<Usage>
  /** The members that were listed and not read since, and those that were. */
  #listing: { readonly left: Set<string>; readonly read: Pending[]; readonly reader: string | undefined } | undefined
  /** True between the two parts of Object.freeze, and the members that its second part asks for. */
  #isFreezing = false
  readonly #frozen = new Set<string | symbol>()

  constructor(value: object, place: string, notes: Notes, open: Set<Usage>) {
    this.#place = place
    this.#notes = notes
    this.#isList = Array.isArray(value)
    this.#open = open
  }

  /** Returns the part of a pointer for a member. */
  stepTo(name: string): string {
    return this.#isList ? '*' : escapePointer(name)
  }

  get(target: object, name: string | symbol, receiver: unknown): unknown {
    const value: unknown = Reflect.get(target, name, receiver)
    if (typeof name === 'symbol' || (this.#isList && name === 'length')) return value
    if (Object.hasOwn(target, name)) this.#read(name, value)
    // Methods such as map are no members.
    else if (value === undefined) this.#note(target, name, 'absent')
    return value
  }

  has(target: object, name: string | symbol): boolean {
    // Methods of lists ask for each item before they read it.
    if (typeof name === 'string' && !this.#isList) this.#note(target, name, 'asked')
    return Reflect.has(target, name)
  }

  getOwnPropertyDescriptor(target: object, name: string | symbol): PropertyDescriptor | undefined {
    // Listing and freezing members asks for each of them as well.
    const isAsked = !this.#frozen.delete(name) && !this.#listing
    if (typeof name === 'string' && !this.#isList && isAsked) this.#note(target, name, 'asked')
    return Reflect.getOwnPropertyDescriptor(target, name)
  }

  ownKeys(target: object): (string | symbol)[] {
    const names = Reflect.ownKeys(target)
    if (this.#isFreezing) {
      this.#isFreezing = false
      for (const name of names) this.#frozen.add(name)
      return names
    }
    this.settle()
    // In a pattern with a rest, the others were read before.
    const left = Object.keys(target).filter((name) => !this.#lastReaders.has(name))
    this.#listing = { left: new Set(left), read: [], reader: this.#notes.reader() }
    this.#open.add(this)
    if (left.length === 0) this.settle()
    return names
  }

  set(target: object, name: string | symbol, value: unknown, receiver: unknown): boolean {
    if (receiver !== this.proxy) return Reflect.set(target, name, value, receiver)
    if (typeof name === 'string') this.#written.add(name)
    return Reflect.set(target, name, value)
  }

  defineProperty(target: object, name: string | symbol, descriptor: PropertyDescriptor): boolean {
    if (typeof name === 'string' && ('value' in descriptor || 'get' in descriptor)) this.#written.add(name)
    return Reflect.defineProperty(target, name, descriptor)
  }

  deleteProperty(target: object, name: string | symbol): boolean {
    if (typeof name === 'string') this.#written.add(name)
    return Reflect.deleteProperty(target, name)
  }

  preventExtensions(target: object): boolean {
    // Object.freeze lists the members next, and reads none.
    this.#isFreezing = true
    return Reflect.preventExtensions(target)
  }

  #read(name: string, value: unknown): void {
    if (this.#written.has(name)) return
    const reader = this.#notes.reader()
    const listing = this.#listing
    if (listing?.left.delete(name)) {
      listing.read.push({ place: this.#placeOf(name), type: typeOfJson(value), reader })
      if (listing.left.size === 0) this.settle()
      return
    }
    if (this.#lastReaders.has(name) && this.#lastReaders.get(name) === reader) return
    this.#lastReaders.set(name, reader)
    this.#notes.note(this.#placeOf(name), 'value', typeOfJson(value), reader)
  }

  #note(target: object, name: string, use: ReadUse): void {
    if (this.#written.has(name)) return
    if (!Object.hasOwn(target, name) && (probes.has(name) || name in target)) return
    this.#notes.note(this.#placeOf(name), use, undefined, this.#notes.reader())
  }

  #placeOf(name: string): string {
    return `${this.#place}/${this.stepTo(name)}`
  }

  /** Ends a listing: if all listed members were read, the object was used as a whole. */
  settle(): void {
    const listing = this.#listing
    if (!listing) return
    this.#listing = undefined
    this.#open.delete(this)
    const type = this.#isList ? 'list' : 'object'
    const isWhole = listing.left.size === 0
    this.#notes.note(this.#place, isWhole ? 'all' : 'names', type, listing.reader)
    if (isWhole) return
    for (const { place, type: read, reader } of listing.read) this.#notes.note(place, 'value', read, reader)
  }
}
