/**
 * Templates: how a deployment writes an answer. A template is JSON. Everything in it is sent as it stands, except for objects
 * with a member that begins with `$`, which are instructions. They take values from the facts of a call: what was asked, and
 * what the contract answers.
 *
 * Pointers are JSON Pointers (RFC 6901) into the facts, or relative ones (draft-bhutton-relative-json-pointer) into the items
 * of the surrounding lists: `0/email` is a member of the item itself, `1/step_id` of the item around it.
 */
import { escapePointer, isObject, lastName, parentOf, pointerSteps } from '../contract/json.ts'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** The instructions of a template, with the member that names each. */
export type Instruction =
  /** The value at a pointer, in a form; `or` stands for a value that is null or missing. */
  | { readonly $: string; readonly as?: Form; readonly or?: Json }
  /** A text of parts, in a form. Parts that are missing are empty; the items of a list are joined by `with`, or commas. */
  | { readonly $text: readonly Json[]; readonly as?: Form; readonly with?: string }
  /** One item for each of a list: sorted by a member, reversed, only those that have a member or lack one, or only the first. */
  | (Selection & { readonly $each: string; readonly item: Json })
  /** Several lists, or several objects, as one; `or` stands for them if all are empty. */
  | { readonly $concat: readonly Json[]; readonly or?: Json }
  /** One member for each item of a list, or for a single value; with `also`, several. */
  | (Selection & MemberTemplate & { readonly $entries: string; readonly also?: readonly MemberTemplate[] })
  /** The number of items of a list. */
  | { readonly $count: string; readonly as?: Form; readonly where?: string; readonly unless?: string }
  /** One of several templates, by the value at a pointer; without `else`, the member is left out. */
  | { readonly $case: string; readonly values: Readonly<Record<string, Json>>; readonly else?: Json }
  /**
   * A template if there is something at the pointer: no null, false, 0, empty text or empty list, a number above a limit, or an
   * item of a list that has a member or lacks one. Without `present` or `absent`, the member is left out.
   */
  | {
      readonly $if: string
      readonly present?: Json
      readonly absent?: Json
      readonly where?: string
      readonly unless?: string
      readonly above?: number
    }
  /** A time, and how it is written; `plus` is in seconds, `zone` in minutes ahead of UTC, for forms with an offset. */
  | { readonly $time: string; readonly form: TimeForm; readonly plus?: number; readonly zone?: number }
  /** A new value of a kind, of a length; a counter that has one begins with zeros. By default the same for the same thing, with `per: 'call'` another for each call. */
  | { readonly $new: NewKind; readonly length?: number; readonly from?: number; readonly per?: 'call' }
  /** An object with these members, whatever their names begin with. */
  | { readonly $members: Readonly<Record<string, Json>> }

/** A member whose name is a template. */
export interface MemberTemplate {
  readonly key: Json
  readonly value: Json
}

/** The form in which a value is written. */
export type Form = keyof typeof forms

/**
 * The form in which a time is written: ISO 8601 with milliseconds, seconds, microseconds, ticks of 100 ns or nanoseconds (`trimmed`:
 * without trailing zeros, as Go and .NET write them), in UTC as `Z`, `+00:00` or `+0000`, or without a zone; a number since 1970;
 * `22.11.2026 18:06:11`, as in German; or a list of its numbers from the year down to the day, the second or the nanosecond.
 */
export type TimeForm = (typeof timeForms)[number]

const isoZones = { iso: 'Z', 'iso-local': '', 'iso-offset': '+00:00', 'iso-short-offset': '+0000' } as const
/** The digits of a second's fraction by the end of a form's name. Exact forms come first, since their values also fit a trimmed one. */
const isoDigits = {
  ...{ '': 3, '-seconds': 0, '-micros': 6, '-ticks': 7, '-nanos': 9 },
  ...{ '-trimmed': 3, '-micros-trimmed': 6, '-ticks-trimmed': 7, '-nanos-trimmed': 9 },
} as const

type IsoForm = `${keyof typeof isoZones}${keyof typeof isoDigits}`

const isoForms = new Map(
  Object.entries(isoZones).flatMap(([name, zone]) =>
    Object.entries(isoDigits).map(([end, digits]) => [`${name}${end}` as IsoForm, { zone, digits }] as const),
  ),
)

/** Returns the most digits that a trimmed form writes of a second's fraction, or undefined for any other form. */
export function trimmedDigits(form: TimeForm): number | undefined {
  return isIsoForm(form) && form.endsWith('-trimmed') ? isoForms.get(form)?.digits : undefined
}

export const timeForms = [
  ...isoForms.keys(),
  'sql',
  'sql-millis',
  'http',
  'seconds',
  'millis',
  'seconds-text',
  'millis-text',
  'compact',
  'date',
  'seconds-fraction',
  'day-first',
  'day-first-comma',
  'list-date',
  'list-seconds',
  'list-nanos',
] as const

/** The kinds of new values: a UUID, a ULID, a number that counts, or a text of some characters. */
export type NewKind = 'uuid' | 'uuid-v1' | 'uuid-v7' | 'ulid' | 'counter' | 'integer' | keyof typeof alphabets

export const alphabets = {
  digits: '0123456789',
  hex: '0123456789abcdef',
  'hex-upper': '0123456789ABCDEF',
  lower: 'abcdefghijklmnopqrstuvwxyz',
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  crockford: '0123456789ABCDEFGHJKMNPQRSTVWXYZ',
  'lower-digits': '0123456789abcdefghijklmnopqrstuvwxyz',
  'upper-digits': '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  letters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  'letters-digits': '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  base64: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/',
  base64url: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_',
} as const

/** Writes a number, or a text that is one, with a number of decimals. */
const fixed = (value: unknown, decimals: number) =>
  value !== '' && Number.isFinite(Number(value)) ? Number(value).toFixed(decimals) : undefined

/** Writes minutes as hours, minutes, seconds, and ticks of 100 ns if there are any. */
function timespan(minutes: number): string {
  const ticks = Math.round(minutes * 60_000) * 10_000
  const seconds = Math.floor(ticks / 10_000_000)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const rest = ticks % 10_000_000
  const text = parts.map((part) => String(part).padStart(2, '0')).join(':')
  return rest === 0 ? text : `${text}.${String(rest).padStart(7, '0')}`
}

/** Writes minutes as a duration of ISO 8601: `PT1H30M`, `PT0.25S`. */
function isoDuration(minutes: number): string {
  const millis = Math.round(minutes * 60_000)
  const [hours, rest] = [Math.floor(millis / 3_600_000), millis % 3_600_000]
  const [left, seconds] = [Math.floor(rest / 60_000), (rest % 60_000) / 1000]
  const parts = [hours > 0 && `${hours}H`, left > 0 && `${left}M`, (seconds > 0 || millis === 0) && `${seconds}S`]
  return `PT${parts.filter(Boolean).join('')}`
}

/** Forms of scalar values. Each returns undefined for a value that it does not fit. */
export const forms = {
  text: (value) => String(value),
  number: (value) => (value !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined),
  upper: (value) => (typeof value === 'string' ? value.toUpperCase() : undefined),
  lower: (value) => (typeof value === 'string' ? value.toLowerCase() : undefined),
  capital: (value) =>
    typeof value === 'string' ? value.charAt(0).toUpperCase() + value.slice(1).toLowerCase() : undefined,
  encoded: (value) => (typeof value === 'string' ? encodeURIComponent(value.toWellFormed()) : undefined),
  path: (value) =>
    typeof value === 'string' ? value.toWellFormed().split('/').map(encodeURIComponent).join('/') : undefined,
  minutes: (value) => (typeof value === 'number' ? value * 60 : undefined),
  hours: (value) => (typeof value === 'number' ? value * 3600 : undefined),
  millis: (value) => (typeof value === 'number' ? value * 60_000 : undefined),
  // Of minutes: ISO 8601 with hours, minutes and seconds.
  'iso-duration': (value) => (typeof value === 'number' && value >= 0 ? isoDuration(value) : undefined),
  // As .NET writes it: `01:30:00`, `00:00:00.2500000`.
  timespan: (value) => (typeof value === 'number' && value >= 0 ? timespan(value) : undefined),
  'fixed-1': (value) => fixed(value, 1),
  'fixed-2': (value) => fixed(value, 2),
  'fixed-3': (value) => fixed(value, 3),
  'fixed-4': (value) => fixed(value, 4),
  percent: (value) => (typeof value === 'number' ? value * 100 : undefined),
  not: (value) => (typeof value === 'boolean' ? !value : undefined),
  bit: (value) => (typeof value === 'boolean' ? Number(value) : undefined),
  // Of digests in hexadecimal.
  base64: (value) => (typeof value === 'string' && /^([\da-f]{2})+$/.test(value) ? toBase64(value) : undefined),
  // Of texts; without padding in addresses, as identifiers are coded.
  'base64-text': (value) => (typeof value === 'string' ? encodeText(value) : undefined),
  'base64url-text': (value) =>
    typeof value === 'string'
      ? encodeText(value).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
      : undefined,
  // Of the index of an item, which begins with 0.
  ordinal: (value) => (typeof value === 'number' ? value + 1 : undefined),
  // Of storage keys: what is before the name of the file, with the slash.
  folder: (value) =>
    typeof value === 'string' && value.includes('/') ? value.slice(0, value.lastIndexOf('/') + 1) : undefined,
  // Of pointers to members of a request, such as `/steps/0/name`.
  dotted: (value) => (isPointer(value) ? value.slice(1).replaceAll('/', '.') : undefined),
  brackets: (value) => (isPointer(value) ? withBrackets(value) : undefined),
  // The same as Java and .NET write it: `steps[0].stepId`, `Steps[0].StepId`.
  'camel-brackets': (value) => (isPointer(value) ? withBrackets(inCamelCase(value)) : undefined),
  'pascal-brackets': (value) => (isPointer(value) ? withBrackets(pathInPascalCase(value)) : undefined),
  last: (value) => (isPointer(value) ? lastName(value) : undefined),
  first: (value) => (isPointer(value) ? (value.split('/')[1] ?? '') : undefined),
  words: (value) => (isPointer(value) ? asWords(value) : undefined),
  camel: (value) => (isPointer(value) ? lastName(inCamelCase(value)) : undefined),
  pascal: (value) => (isPointer(value) ? lastName(pathInPascalCase(value)) : undefined),
  // A list of the names and indices.
  segments: (value) =>
    value === '' || isPointer(value)
      ? pointerSteps(value).map((step) => (/^\d+$/.test(step) ? Number(step) : step))
      : undefined,
} satisfies Record<string, (value: string | number | boolean) => FormValue | undefined>

type FormValue = string | number | boolean | readonly (string | number)[]

function toBase64(hex: string): string {
  return bytesToBase64((hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)))
}

const encodeText = (text: string) => bytesToBase64(new TextEncoder().encode(text))

const bytesToBase64 = (bytes: Iterable<number>) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

/** Returns the last name of a pointer as the beginning of a sentence: `File name`. */
function asWords(pointer: string): string {
  const name = lastName(pointer)
    .replaceAll('_', ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return name.charAt(0).toUpperCase() + name.slice(1)
}

const withBrackets = (pointer: string) =>
  pointer
    .slice(1)
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')

/** Writes the names of a pointer in camel case: `/steps/0/stepId`. */
const inCamelCase = (pointer: string) => pointer.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Writes the names of a pointer in Pascal case: `/Steps/0/StepId`. */
const pathInPascalCase = (pointer: string) =>
  pointer.replaceAll(/([/_])([A-Za-z])/g, (_, mark: string, letter: string) => {
    return (mark === '/' ? mark : '') + letter.toUpperCase()
  })

function isPointer(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('/')
}

/** The facts of a call that its answer is made from. Pointers of a template lead into them. */
export interface Facts {
  /** The body of the request, as it was sent. */
  readonly request?: unknown
  /** The parameters of the path. */
  readonly path?: Readonly<Record<string, string>>
  /** The contract's answer, if the call succeeds. */
  readonly answer?: unknown
  /** The contract's answer, if the call is refused. */
  readonly problem?: unknown
  /** The address of the service, without a trailing slash. */
  readonly base?: string
  /** The path of a request that is refused, without its query; as `route` also without its first slash. */
  readonly asked?: string
  readonly route?: string
  /** The method of a request that is refused. */
  readonly method?: string
  /** ISO 8601. */
  readonly now: string
  /** The number of things of the same kind so far; for identifiers that count. */
  readonly count?: number
  readonly [more: string]: unknown
}

/** The things besides facts that rendering needs. */
export interface RandomSource {
  /** A number from 0 up to but not including 1, seeded by a text; without one, another each time. */
  readonly draw: (seed?: string) => () => number
}

/** The stack of lists that a template is in. */
interface Frame {
  readonly facts: Facts
  readonly random: RandomSource
  /** The items around, the innermost last, with their indices. */
  readonly items: readonly unknown[]
  readonly indices: readonly number[]
  /** The subject that new values belong to. */
  readonly thing: string
  /** Collects what differs from call to call; the text then has holes there. */
  readonly holes?: ((facts: Facts, random: RandomSource) => unknown)[] | undefined
}

/** Stands for a member that is left out. */
const omitted = Symbol('omitted')
type Rendered = unknown | typeof omitted
type Render = (frame: Frame) => Rendered

/** A template that is ready to be rendered. */
export interface CompiledTemplate {
  /** Returns the value for these facts; undefined if the template leaves it out. */
  render(facts: Facts, random: RandomSource, thing?: string): unknown
  /**
   * Returns the JSON text for these facts as a function of what differs from call to call, so that a large answer is
   * rendered once.
   */
  prepare(facts: Facts, random: RandomSource, thing?: string): (facts: Facts, random: RandomSource) => string
}

/** Compiles a template. Throws a `TemplateError` for an instruction that it does not know or that does not fit. */
export function compile(template: Json): CompiledTemplate {
  const render = compileAt(template, '')
  const start = { items: [], indices: [] }
  return {
    render(facts, random, thing = '') {
      const value = render({ facts, random, thing, ...start })
      return value === omitted ? undefined : value
    },
    prepare(facts, random, thing = '') {
      const holes: NonNullable<Frame['holes']> = []
      const value = render({ facts, random, thing, holes, ...start })
      const text = JSON.stringify(value) ?? ''
      const parts = text.split(holePattern)
      return (facts, random) =>
        parts
          .map((part, at) => (at % 2 === 0 ? part : (JSON.stringify(holes[Number(part)]?.(facts, random)) ?? 'null')))
          .join('')
    },
  }
}

/** A template that cannot be compiled, with the JSON Pointer to what is wrong in it. */
export class TemplateError extends Error {
  constructor(
    readonly pointer: string,
    why: string,
  ) {
    super(why)
  }
}

/** Differs from start to start, so that no client can send a text that looks like a hole. */
const mark = Math.random().toString(36).slice(2)
const hole = (index: number) => `\u0000${mark} ${index}\u0000`
const holePattern = new RegExp(`"\\\\u0000${mark} (\\d+)\\\\u0000"`)

function compileAt(template: Json, at: string): Render {
  if (template === null || typeof template !== 'object' || isConstant(template)) return () => template
  if (isList(template)) {
    const items = template.map((item, index) => compileAt(item, `${at}/${index}`))
    return (frame) => items.map((item) => item(frame)).filter((value) => value !== omitted)
  }
  const name = Object.keys(template).find((member) => member.startsWith('$'))
  if (name === undefined) return compileMembers(template, at)
  const create = Object.hasOwn(compilers, name) ? compilers[name as keyof typeof compilers] : undefined
  if (!create) {
    throw new TemplateError(
      `${at}/${name}`,
      `there is no instruction ${name}; use one of ${Object.keys(compilers).join(', ')}`,
    )
  }
  return create(template as never, at)
}

/** Returns true if a template has no instruction, so that it is its own value. */
export function isConstant(template: Json): boolean {
  if (template === null || typeof template !== 'object') return true
  if (isList(template)) return template.every(isConstant)
  return Object.entries(template).every(([name, member]) => !name.startsWith('$') && isConstant(member))
}

export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function compileMembers(template: Readonly<Record<string, Json>>, at: string): Render {
  const members = Object.entries(template).map(
    ([name, member]) => [name, compileAt(member, `${at}/${escapePointer(name)}`)] as const,
  )
  return (frame) => {
    const value: Record<string, unknown> = {}
    for (const [name, member] of members) {
      const rendered = member(frame)
      if (rendered === omitted) continue
      // A member called __proto__ would set the prototype.
      if (name === '__proto__') Object.defineProperty(value, name, { value: rendered, enumerable: true })
      else value[name] = rendered
    }
    return value
  }
}

type Of<Name extends string> = Extract<Instruction, Readonly<Record<Name, unknown>>>
type Compilers = {
  readonly [Name in
    | '$'
    | '$text'
    | '$each'
    | '$concat'
    | '$entries'
    | '$count'
    | '$case'
    | '$if'
    | '$time'
    | '$new'
    | '$members']: (template: Of<Name>, at: string) => Render
}

const compilers: Compilers = {
  $({ $: pointer, as, or = null }, at) {
    const get = getter(pointer, `${at}/$`)
    const form = formOf(as, at)
    const other = compileAt(or, `${at}/or`)
    return (frame) => {
      const value = get(frame)
      if (value === undefined || value === null) return other(frame)
      if (!form) return value
      return typeof value === 'object' ? other(frame) : (form(value as string) ?? other(frame))
    }
  },
  $text({ $text: parts, as, with: mark = ',' }, at) {
    const form = formOf(as, at)
    if (typeof mark !== 'string') throw new TemplateError(`${at}/with`, 'it is not a text')
    const renders = mustBeList(parts, `${at}/$text`).map((part, index) => compileAt(part, `${at}/$text/${index}`))
    const isOnce = mustBeRenderedOnce(parts)
    const join = (frame: Frame) =>
      renders
        .map((part) => part(frame))
        .map((value) => (value === omitted ? '' : Array.isArray(value) ? value.map(textOf).join(mark) : textOf(value)))
        .join('')
    // The text that a form is made from must have no holes.
    const render = form ? ({ holes: _, ...frame }: Frame) => form(join(frame)) : join
    return isOnce ? inHole(render) : render
  },
  $each({ $each: pointer, item, ...choice }, at) {
    const list = listGetter(pointer, choice, `${at}/$each`)
    const each = compileAt(item, `${at}/item`)
    return (frame) => {
      const values: unknown[] = []
      for (const [index, value] of list(frame).entries()) {
        const rendered = each(inside(frame, value, index))
        if (rendered !== omitted) values.push(rendered)
      }
      return values
    }
  },
  $concat({ $concat: parts, or }, at) {
    const lists = mustBeList(parts, `${at}/$concat`).map((part, index) => compileAt(part, `${at}/$concat/${index}`))
    const other = or === undefined ? undefined : compileAt(or, `${at}/or`)
    return (frame) => {
      const made = lists.map((list) => list(frame)).filter((value) => value !== omitted && value !== null)
      if (made.length > 0 && made.every(isObject)) return Object.fromEntries(made.flatMap((one) => Object.entries(one)))
      const items = made.flat()
      return items.length === 0 && other ? other(frame) : items
    }
  },
  $entries({ $entries: pointer, key, value, also = [], ...choice }, at) {
    const list = listGetter(pointer, choice, `${at}/$entries`)
    const compileEntry = (entry: MemberTemplate, below: string) => ({
      name: compileAt(entry.key, `${below}/key`),
      render: compileAt(entry.value, `${below}/value`),
    })
    const more = mustBeList(also, `${at}/also`).map((entry, index) => {
      const below = `${at}/also/${index}`
      if (isObject(entry) && 'key' in entry && 'value' in entry)
        return compileEntry(entry as unknown as MemberTemplate, below)
      throw new TemplateError(below, 'it is not an object with a key and a value')
    })
    const entries = [compileEntry({ key, value }, at), ...more]
    return (frame) =>
      Object.fromEntries(
        list(frame).flatMap((item, index) => {
          const within = inside(frame, item, index)
          return entries.flatMap(({ name, render }) => {
            const rendered = render(within)
            return rendered === omitted ? [] : [[textOf(name(within)), rendered]]
          })
        }),
      )
  },
  $count({ $count: pointer, as, where, unless }, at) {
    const list = listGetter(pointer, { where, unless }, `${at}/$count`)
    const form = formOf(as, at)
    return (frame) => form?.(list(frame).length) ?? list(frame).length
  },
  $case({ $case: pointer, values, else: otherwise }, at) {
    const get = getter(pointer, `${at}/$case`)
    const cases = new Map(
      Object.entries(mustBeObject(values, `${at}/values`)).map(([value, one]) => [
        value,
        compileAt(one, `${at}/values/${escapePointer(value)}`),
      ]),
    )
    const other = otherwise === undefined ? () => omitted : compileAt(otherwise, `${at}/else`)
    return (frame) => (cases.get(caseOf(get(frame))) ?? other)(frame)
  },
  $if({ $if: pointer, present, absent, where, unless, above }, at) {
    const get = getter(pointer, `${at}/$if`)
    mustBeNumbers({ above: above ?? 0 }, at)
    const items =
      where === undefined && unless === undefined ? get : listGetter(pointer, { where, unless }, `${at}/$if`)
    const holds = (frame: Frame) => (above === undefined ? isSomething(items(frame)) : numberOf(get(frame)) > above)
    const one = present === undefined ? () => omitted : compileAt(present, `${at}/present`)
    const other = absent === undefined ? () => omitted : compileAt(absent, `${at}/absent`)
    return (frame) => (holds(frame) ? one : other)(frame)
  },
  $time({ $time: pointer, form, plus = 0, zone = 0 }, at) {
    const get = getter(pointer, `${at}/$time`)
    if (!timeForms.includes(form)) throw new TemplateError(`${at}/form`, `there is no form of time '${textOf(form)}'`)
    mustBeNumbers({ plus, zone }, at)
    const render = (frame: Frame) => {
      const ms = Date.parse(textOf(get(frame))) + plus * 1000 + zone * 60_000
      if (Number.isNaN(new Date(ms).getTime())) return null
      const time = writeTime(ms, form)
      if (zone === 0 || typeof time !== 'string') return time
      return time.replace('+00:00', offsetOf(zone)).replace('+0000', offsetOf(zone).replace(':', ''))
    }
    return pointer === '/now' ? inHole(render) : render
  },
  $new(template, at) {
    const { $new: kind, length = 16, from = 1, per } = template
    if (!isNewKind(kind)) throw new TemplateError(`${at}/$new`, `there is no kind '${textOf(kind)}' of new values`)
    mustBeNumbers({ length, from }, at)
    if (!(length >= 0 && length <= 4096))
      throw new TemplateError(`${at}/length`, 'the length is not a number up to 4096')
    const name = lastName(at)
    const render = ({ facts, random, thing, indices }: Frame) =>
      make(template, random.draw(per === 'call' ? undefined : `${thing}/${indices.join('/')}/${name}`), facts)
    return per === 'call' ? inHole(render) : render
  },
  $members: ({ $members: members }, at) => compileMembers(mustBeObject(members, `${at}/$members`), `${at}/$members`),
}

function offsetOf(zone: number): string {
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0')
  return `${zone < 0 ? '-' : '+'}${two(Math.abs(zone) / 60)}:${two(Math.abs(zone) % 60)}`
}

/** Wraps a value that differs from call to call, so that prepared text has a hole for it. */
function inHole(render: Render): Render {
  return (frame) => {
    const { holes, ...rest } = frame
    if (!holes) return render(frame)
    holes.push((facts, random) => {
      const value = render({ ...rest, facts, random })
      return value === omitted ? null : value
    })
    return hole(holes.length - 1)
  }
}

/** Returns true if a part of a text differs from call to call. */
function mustBeRenderedOnce(template: Json): boolean {
  if (template === null || typeof template !== 'object') return false
  if (isList(template)) return template.some(mustBeRenderedOnce)
  if (template.per === 'call' || template.$time === '/now') return true
  return Object.values(template).some(mustBeRenderedOnce)
}

function inside({ facts, random, thing, holes, items, indices }: Frame, item: unknown, index: number): Frame {
  return { facts, random, thing, holes, items: [...items, item], indices: [...indices, index] }
}

function mustBeList(value: unknown, at: string): readonly Json[] {
  if (Array.isArray(value)) return value as Json[]
  throw new TemplateError(at, 'it is not a list')
}

function mustBeNumbers(values: Readonly<Record<string, unknown>>, at: string): void {
  for (const [name, value] of Object.entries(values))
    if (typeof value !== 'number') throw new TemplateError(`${at}/${name}`, 'it is not a number')
}

function mustBeObject(value: unknown, at: string): Readonly<Record<string, Json>> {
  if (isObject(value)) return value as Record<string, Json>
  throw new TemplateError(at, 'it is not an object')
}

/** Compiles a pointer to a function. */
function getter(pointer: unknown, at: string): (frame: Pick<Frame, 'facts' | 'items' | 'indices'>) => unknown {
  const found = typeof pointer === 'string' ? /^(\d*)((?:\/(?:[^~/]|~[01])*)*|#)$/.exec(pointer) : null
  if (!found) throw new TemplateError(at, 'it is not a JSON Pointer, such as /answer/name or 0/email')
  const [, up = '', path = ''] = found
  if (path === '#') return ({ indices }) => indices.at(-1 - Number(up))
  const steps = pointerSteps(path)
  if (up === '' && steps.length > 0 && !roots.has(steps[0] ?? '')) {
    throw new TemplateError(at, `there is no '${steps[0]}' to take values from; use one of ${[...roots].join(', ')}`)
  }
  const from = up === '' ? (frame: Pick<Frame, 'facts' | 'items'>) => frame.facts : undefined
  return (frame) => {
    let value: unknown = from ? from(frame) : frame.items.at(-1 - Number(up))
    for (const step of steps) {
      if (value === null || typeof value !== 'object' || !Object.hasOwn(value, step)) return undefined
      value = (value as Record<string, unknown>)[step]
    }
    return value
  }
}

/** The members of the facts. */
const roots = new Set([
  'request',
  'path',
  'answer',
  'problem',
  'base',
  'now',
  'count',
  'operation',
  'object',
  'session_id',
  'key',
  'tenant',
  'asked',
  'route',
  'method',
])

/** The items of a list that an instruction takes, and their order. */
export interface Selection {
  readonly by?: string | undefined
  readonly reversed?: true | undefined
  readonly where?: string | undefined
  readonly unless?: string | undefined
  readonly limit?: number | undefined
}

function listGetter(pointer: string, choice: Selection, at: string): (frame: Frame) => readonly unknown[] {
  const get = getter(pointer, at)
  const select = selector(choice, at)
  return (frame) => select(asList(get(frame)))
}

/** Returns a function that takes the items of a list. */
export function selector(
  { by, reversed, where, unless, limit }: Selection,
  at = '',
): (list: readonly unknown[]) => readonly unknown[] {
  if (limit !== undefined) {
    const pointer = `${parentOf(at)}/limit`
    mustBeNumbers({ limit }, parentOf(at))
    if (!(limit > 0)) throw new TemplateError(pointer, 'the limit is not a positive number')
  }
  const memberOf = (path: string) => {
    const read = getter(typeof path === 'string' ? `0${path}` : path, at)
    return (item: unknown, index = 0) => read({ facts: { now: '' }, items: [item], indices: [index] })
  }
  const sortKey = by === undefined ? undefined : memberOf(by)
  const condition = where === undefined ? undefined : memberOf(where)
  const exception = unless === undefined ? undefined : memberOf(unless)
  return (all) => {
    let list = all
    if (condition) list = list.filter((item, index) => isSomething(condition(item, index)))
    if (exception) list = list.filter((item, index) => !isSomething(exception(item, index)))
    if (sortKey) {
      const sign = reversed ? -1 : 1
      list = [...list].sort((a, b) => sign * (numberOf(sortKey(a)) - numberOf(sortKey(b))))
    } else if (reversed) list = [...list].reverse()
    return limit === undefined ? list : list.slice(0, limit)
  }
}

/** Returns a list itself, a single value as a list of one, and of anything else an empty list. */
export function asList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  return value === undefined || value === null || typeof value === 'object' ? [] : [value]
}

/** Returns true if there is something: no null, false, 0, empty text or empty list. */
export function isSomething(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}

/** Returns a value as text: nothing for what is missing, the items of a list with commas, and an object as JSON. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(textOf).join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const numberOf = (value: unknown) => Number(value === null || typeof value === 'object' ? textOf(value) : value)

/** Returns the name of a case: the value as text, or `null` if there is none. */
export function caseOf(value: unknown): string {
  return value === undefined || value === null || typeof value === 'object' ? 'null' : String(value)
}

function formOf(as: Form | undefined, at: string): ((value: string | number | boolean) => unknown) | undefined {
  if (as === undefined) return undefined
  if (typeof as === 'string' && Object.hasOwn(forms, as))
    return forms[as] as (value: string | number | boolean) => unknown
  throw new TemplateError(`${at}/as`, `there is no form '${textOf(as)}'; use one of ${Object.keys(forms).join(', ')}`)
}

function isNewKind(kind: unknown): kind is NewKind {
  if (typeof kind !== 'string') return false
  return ['uuid', 'uuid-v1', 'uuid-v7', 'ulid', 'counter', 'integer'].includes(kind) || Object.hasOwn(alphabets, kind)
}

function make(template: Of<'$new'>, draw: () => number, { count = 0, now }: Facts): string | number {
  const { $new: kind, length = 16, from = 1 } = template
  const text = (alphabet: string, characters: number) => {
    let made = ''
    while (made.length < characters) made += alphabet.charAt(Math.floor(draw() * alphabet.length))
    return made
  }
  const hex = (digits: number) => text(alphabets.hex, digits)
  switch (kind) {
    case 'counter':
      return template.length === undefined ? from + count : String(from + count).padStart(length, '0')
    case 'integer':
      return Number(text('123456789', 1) + text(alphabets.digits, length - 1))
    case 'ulid':
      return inCrockford(Date.parse(now), 10) + text(alphabets.crockford, 16)
    case 'uuid':
      return `${hex(8)}-${hex(4)}-4${hex(3)}-${text('89ab', 1)}${hex(3)}-${hex(12)}`
    case 'uuid-v1':
      return `${hex(8)}-${hex(4)}-11ef-${text('89ab', 1)}${hex(3)}-${hex(12)}`
    case 'uuid-v7':
      return `0190${hex(4)}-${hex(4)}-7${hex(3)}-${text('89ab', 1)}${hex(3)}-${hex(12)}`
    default:
      return text(alphabets[kind], length)
  }
}

function inCrockford(number: number, digits: number): string {
  let [text, rest] = ['', number]
  while (text.length < digits) {
    text = alphabets.crockford.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  return text
}

/** Writes a time in a form. */
export function writeTime(ms: number, form: TimeForm): string | number | readonly number[] {
  const iso = new Date(ms).toISOString()
  if (isIsoForm(form)) {
    const { zone, digits } = isoForms.get(form) as { readonly zone: string; readonly digits: number }
    const fraction =
      trimmedDigits(form) === undefined
        ? iso.slice(20, 23).padEnd(digits, '0').slice(0, digits)
        : withoutTrailingZeros((iso.slice(20, 23) + finerDigits(ms)).slice(0, digits))
    return `${iso.slice(0, 19)}${fraction && '.'}${fraction}${zone}`
  }
  switch (form) {
    case 'sql':
      return iso.replace('T', ' ').replace(/\.\d+Z/, '')
    case 'sql-millis':
      return iso.replace('T', ' ').replace('Z', '')
    case 'http':
      return new Date(ms).toUTCString()
    case 'seconds':
      return Math.floor(ms / 1000)
    case 'millis':
      return ms
    case 'seconds-text':
      return String(Math.floor(ms / 1000))
    case 'millis-text':
      return String(ms)
    case 'compact':
      return iso.replaceAll(/[-:]|\.\d+/g, '')
    case 'date':
      return iso.slice(0, 10)
    case 'seconds-fraction':
      return ms / 1000
    case 'day-first':
    case 'day-first-comma':
      return `${iso.slice(0, 10).split('-').reverse().join('.')}${form === 'day-first' ? '' : ','} ${iso.slice(11, 19)}`
    case 'list-date':
      return numbersOf(iso).slice(0, 3)
    case 'list-seconds':
      return numbersOf(iso).slice(0, 6)
    case 'list-nanos':
      return [...numbersOf(iso).slice(0, 6), (ms % 1000) * 1_000_000]
    default:
      return form satisfies never
  }
}

const withoutTrailingZeros = (text: string) => text.replaceAll('0', ' ').trimEnd().replaceAll(' ', '0')

/** Returns six digits to write after the milliseconds. They depend only on the time, so that it is written the same everywhere. */
const finerDigits = (ms: number) => String((ms * 7919) % 1_000_000).padStart(6, '0')

const isIsoForm = (form: TimeForm): form is IsoForm => isoForms.has(form as IsoForm)

const numbersOf = (iso: string) => iso.split(/\D/).slice(0, 6).map(Number)
