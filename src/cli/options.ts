import { InvalidArgumentError } from 'commander'
import { type ReportKind, reportKinds } from '../../conformance/report/write.ts'

/** A port; 0 stands for any free one. */
export function port(text: string): number {
  const value = Number(text)
  if (!/^\d{1,5}$/.test(text) || value > 65_535) throw new InvalidArgumentError('A port is a number from 0 to 65535.')
  return value
}

/** An address to listen on; an empty one would mean all of this machine's. */
export function host(text: string): string {
  if (!/^[^\s/]+$/.test(text)) throw new InvalidArgumentError('A host is a name or an address, such as 127.0.0.1.')
  return text
}

/** How many of something to keep: at least as many executions as the details list. */
export function executionCount(text: string): number {
  const value = Number(text)
  if (!/^\d{1,9}$/.test(text) || value < 20) throw new InvalidArgumentError('A number of executions is 20 or more.')
  return value
}

/** How many times faster than the real time a clock goes. */
export function speed(text: string): number {
  const value = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || value > 1_000_000) {
    throw new InvalidArgumentError('A speed is a number from 0 to 1000000.')
  }
  return value
}

/** Real milliseconds: `200`, or a range such as `100..800`. */
export function latency(text: string): { minMs: number; maxMs: number } {
  const [, min = '', max = min] = text.match(/^(\d{1,5})(?:\.\.(\d{1,5}))?$/) ?? []
  const range = { minMs: Number(min), maxMs: Number(max) }
  if (!min || range.minMs > range.maxMs || range.maxMs > 60_000) {
    throw new InvalidArgumentError('A latency is milliseconds up to 60000, such as 200 or 100..800.')
  }
  return range
}

const units: Record<string, number> = {
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
  const [, digits = '', unit = ''] = text.match(/^(\d{1,12})\s?([A-Za-z]*)$/) ?? []
  const factor = units[unit.toLowerCase()]
  if (!digits || factor === undefined) throw new InvalidArgumentError('A size is a number with a unit, such as 100MB.')
  return Number(digits) * factor
}

/** An http or https address without credentials, query and fragment; a trailing slash is dropped. */
export function httpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('An address begins with http:// or https://.')
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new InvalidArgumentError('An address has no user, password, query or fragment.')
  }
  return url.href.replace(/(?<!\/)\/+$/, '')
}

/** Which reports to write, joined by commas. */
export function reports(text: string): ReportKind[] {
  const chosen = text.split(',').map((kind) => kind.trim())
  const unknown = chosen.find((kind) => !reportKinds.some((known) => known === kind))
  if (unknown !== undefined) {
    throw new InvalidArgumentError(`There is no report '${unknown}'; there is ${reportKinds.join(', ')}.`)
  }
  return reportKinds.filter((kind) => chosen.includes(kind))
}

/** A time in seconds: `10`, `10s` or `500ms`. */
export function seconds(text: string): number {
  const [, digits = '', unit = 's'] = text.match(/^(\d{1,6}(?:\.\d+)?)(ms|s)?$/) ?? []
  const value = Number(digits) * (unit === 'ms' ? 0.001 : 1)
  if (!digits || value > 300) throw new InvalidArgumentError('A time is up to 300 seconds, such as 10s or 500ms.')
  return value
}

/** Requests a second: `5` or `5/s`. */
export function perSecond(text: string): number {
  const [, digits = ''] = text.match(/^(\d{1,4}(?:\.\d+)?)(?:\/s)?$/) ?? []
  if (!digits || Number(digits) === 0) throw new InvalidArgumentError('A rate is requests a second, such as 5/s.')
  return Number(digits)
}
