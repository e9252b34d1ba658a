/** Parses the values of options. Each parser throws an `InvalidArgumentError` that says what to use. */
import { InvalidArgumentError } from 'commander'
import { reportKinds, sessionReportKinds } from '../conformance/report/kinds.ts'
import { isPlainUrl } from '../src/node/docs-marks.ts'
import { isTestKey } from '../src/wire/auth.ts'
import type { Latency } from '../src/world/settings.ts'
import { UsageError } from './exit.ts'

function refuse(advice: string): never {
  throw new InvalidArgumentError(advice)
}

/** Creates a parser for texts of a form. */
function textOf(form: RegExp, advice: string): (text: string) => string {
  return (text) => (form.test(text) ? text : refuse(advice))
}

/** Creates a parser for numbers of a form, from `least` to `most`. */
function numberOf(form: RegExp, least: number, most: number, advice: string): (text: string) => number {
  return (text) => {
    const value = Number(text)
    return form.test(text) && value >= least && value <= most ? value : refuse(advice)
  }
}

/** Returns the values that some names choose, in the order of all. Throws what `refusal` creates for the first unknown name. */
export function chosenOf<One extends string>(
  names: readonly string[],
  known: readonly One[],
  refusal: (unknown: string) => Error,
): readonly One[] {
  const unknown = names.find((name) => !known.some((one) => one === name))
  if (unknown !== undefined) throw refusal(unknown)
  return known.filter((one) => names.includes(one))
}

/** Creates a parser for kinds of reports, joined by commas. */
function kindsOf<Kind extends string>(known: readonly Kind[]): (text: string) => readonly Kind[] {
  const advice = `Use one or more of ${known.join(',')}.`
  return (text) =>
    chosenOf(listed(text), known, (kind) => new InvalidArgumentError(`There is no report '${kind}'. ${advice}`))
}

const digits = /^\d+$/
const decimals = /^\d+(\.\d+)?$/

/** A port; 0 means any free one. */
export const port = numberOf(/^\d{1,5}$/, 0, 65_535, 'Use a number from 0 to 65535.')

/** An address to listen on. An empty one is refused, since Node would listen on all addresses. */
export const host = textOf(/^[^\s/]+$/, 'Use a host name or an address, such as 127.0.0.1.')

/** A number of executions to keep, at least as many as the details list. */
export const executionCount = numberOf(digits, 20, 999_999_999, 'Use a number of at least 20.')

/** The most requests of an exploration. */
export const requestCount = numberOf(digits, 20, 999_999, 'Use a number from 20 to 999999.')

/** The seed of an exploration. */
export const seed = numberOf(digits, 0, 2 ** 32 - 1, 'Use a number from 0 to 4294967295.')

/** A clock speed, as a multiple of real time. */
export const speed = numberOf(decimals, 0, 1_000_000, 'Use a number from 0 to 1000000.')

/** The path below which a mock answers. */
export const basePath = textOf(/^(\/[\w.~-]+)+$/, 'Use a path such as /team, without a slash at its end.')

/** The kinds of reports to write. */
export const reports = kindsOf(reportKinds)

/** The kinds of reports of a session. */
export const sessionReports = kindsOf(sessionReportKinds)

/** Parts of a text that are joined by commas. */
export function listed(text: string): string[] {
  return text.split(',').map((part) => part.trim())
}

/** A name for all pages. */
export function title(text: string): string {
  return text.length <= 100 && text.trim() ? text.trim() : refuse('Use 1 to 100 characters.')
}

/** API keys. Throws a `UsageError`, since the parser would repeat a key that is refused. */
export function testKeys(text: string): readonly string[] {
  const keys = listed(text)
  if (keys.every(isTestKey)) return keys
  throw new UsageError('One of the keys in --keys is not a test key. Use keys such as test_demo or sk_test_demo.')
}

const latencyForm = /^(?:(\d{1,5})(?:\.\.(\d{1,5}))?|p50=(\d{1,5})(?:ms)?,p99=(\d{1,5})(?:ms)?)$/

/** Real milliseconds: `200`, a range such as `100..800`, or percentiles such as `p50=80,p99=900`. */
export function latency(text: string): Latency {
  const [, min, max = min, p50, p99] = latencyForm.exec(text) ?? []
  const [low, high] = [Number(p50 ?? min), Number(p99 ?? max)]
  const isSound = low >= (p50 === undefined ? 0 : 1) && low <= high && high <= 60_000
  if (!isSound) refuse('Use milliseconds up to 60000, such as 200, 100..800 or p50=80,p99=900.')
  return p50 === undefined ? { minMs: low, maxMs: high } : { minMs: 0, maxMs: 60_000, p50Ms: low, p99Ms: high }
}

const units: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1000,
  mb: 1000 ** 2,
  gb: 1000 ** 3,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
}

/** A size such as `500kB`, `100MB` or `1GiB`, in bytes. */
export function size(text: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,12})\s?([A-Za-z]*)$/.exec(text) ?? []
  const factor = units[unit.toLowerCase()]
  return amount && factor ? Number(amount) * factor : refuse('Use a number with a unit, such as 100MB.')
}

/** A speed such as `200kB/s`, in bytes per second. */
export function bytesPerSecond(text: string): number {
  const bytes = text.endsWith('/s') ? size(text.slice(0, -2)) : 0
  return bytes < 1000 ? refuse('Use at least 1kB/s, such as 200kB/s.') : bytes
}

/** A time in seconds: `10`, `10s` or `500ms`. */
export function seconds(text: string): number {
  const [, amount, unit] = /^(\d{1,6}(?:\.\d+)?)(ms|s)?$/.exec(text) ?? []
  const value = Number(amount) * (unit === 'ms' ? 0.001 : 1)
  return value <= 300 ? value : refuse('Use a time of up to 300 seconds, such as 10s or 500ms.')
}

/** Requests per second: `5` or `5/s`. */
export function perSecond(text: string): number {
  const rate = Number(/^(\d{1,4}(?:\.\d+)?)(?:\/s)?$/.exec(text)?.[1])
  return rate > 0 ? rate : refuse('Use requests per second, such as 5/s.')
}

/** An HTTP or HTTPS URL without credentials, query and fragment; removes a trailing slash. */
export function httpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) return refuse('Use a URL that starts with http:// or https://.')
  if (url.username || url.password || url.search || url.hash) {
    refuse('Use a URL without user, password, query and fragment.')
  }
  return url.href.replace(/(?<!\/)\/+$/, '')
}

/** The URL of a service. It becomes part of shell commands, so characters that a shell interprets are refused. */
export function serverUrl(text: string): string {
  const url = httpUrl(text)
  if (!isPlainUrl(url)) refuse('Use only letters, digits and the characters . - _ ~ % in the URL.')
  return /\/api\/v1$/.test(url) ? refuse('Leave out /api/v1: the paths of the API begin with it.') : url
}
