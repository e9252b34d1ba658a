import { type AddHelpTextContext, type Command, InvalidArgumentError, Option } from 'commander'
import {
  type ReportKind,
  reportKinds,
  type SessionReportKind,
  sessionReportKinds,
} from '../../conformance/report/kinds.ts'
import { isTestKey } from '../http/wire/auth.ts'
import type { Latency } from '../world/settings.ts'
import { UsageError } from './exit.ts'

/** Parses a port; 0 means any free one. */
export function port(text: string): number {
  const value = Number(text)
  if (!/^\d{1,5}$/.test(text) || value > 65_535) throw new InvalidArgumentError('Use a number from 0 to 65535.')
  return value
}

/** Parses an address to listen on. An empty one is refused, since Node would listen on all addresses. */
export function host(text: string): string {
  if (!/^[^\s/]+$/.test(text)) throw new InvalidArgumentError('Use a host name or an address, such as 127.0.0.1.')
  return text
}

/** Parses API keys. Throws a `UsageError`, since the parser would repeat a key that is refused. */
export function testKeys(text: string): readonly string[] {
  const keys = text.split(',').map((key) => key.trim())
  if (keys.every(isTestKey)) return keys
  throw new UsageError('One of the keys in --keys is not a test key. Use keys such as test_demo or sk_test_demo.')
}

/** Parses a number of executions to keep, at least as many as the details list. */
export function executionCount(text: string): number {
  const value = Number(text)
  if (!/^\d{1,9}$/.test(text) || value < 20) throw new InvalidArgumentError('Use a number of at least 20.')
  return value
}

/** Parses the most requests of an exploration. */
export function requestCount(text: string): number {
  const value = Number(text)
  if (!/^\d{1,6}$/.test(text) || value < 20) throw new InvalidArgumentError('Use a number from 20 to 999999.')
  return value
}

/** Parses the seed of an exploration. */
export function seed(text: string): number {
  const value = Number(text)
  if (!/^\d{1,10}$/.test(text) || value >= 2 ** 32) throw new InvalidArgumentError('Use a number from 0 to 4294967295.')
  return value
}

/** Parses a clock speed as a multiple of real time. */
export function speed(text: string): number {
  const value = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || value > 1_000_000) {
    throw new InvalidArgumentError('Use a number from 0 to 1000000.')
  }
  return value
}

/** Parses real milliseconds: `200`, a range such as `100..800`, or percentiles such as `p50=80,p99=900`. */
export function latency(text: string): Latency {
  const latency = rangeIn(text) ?? percentilesIn(text)
  const { minMs, maxMs, p50Ms = 1, p99Ms = p50Ms } = latency ?? { minMs: 1, maxMs: 0 }
  if (latency && minMs <= maxMs && maxMs <= 60_000 && p50Ms > 0 && p50Ms <= p99Ms && p99Ms <= 60_000) return latency
  throw new InvalidArgumentError('Use milliseconds up to 60000, such as 200, 100..800 or p50=80,p99=900.')
}

function rangeIn(text: string): Latency | undefined {
  const [, min, max = min] = text.match(/^(\d{1,5})(?:\.\.(\d{1,5}))?$/) ?? []
  return min === undefined ? undefined : { minMs: Number(min), maxMs: Number(max) }
}

function percentilesIn(text: string): Latency | undefined {
  const [, p50, p99] = text.match(/^p50=(\d{1,5})(?:ms)?,p99=(\d{1,5})(?:ms)?$/) ?? []
  return p50 === undefined ? undefined : { minMs: 0, maxMs: 60_000, p50Ms: Number(p50), p99Ms: Number(p99) }
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

/** Parses a speed such as `200kB/s` to bytes per second. */
export function bytesPerSecond(text: string): number {
  const [, amount] = text.match(/^(.*)\/s$/) ?? []
  const bytes = amount === undefined ? 0 : size(amount)
  if (bytes < 1000) throw new InvalidArgumentError('Use at least 1kB/s, such as 200kB/s.')
  return bytes
}

/** Parses a size such as `500kB`, `100MB` or `1GiB` to bytes. */
export function size(text: string): number {
  const [, digits = '', unit = ''] = text.match(/^(\d{1,12})\s?([A-Za-z]*)$/) ?? []
  const factor = units[unit.toLowerCase()]
  if (!digits || factor === undefined) throw new InvalidArgumentError('Use a number with a unit, such as 100MB.')
  return Number(digits) * factor
}

/** Parses an HTTP or HTTPS URL without credentials, query and fragment; removes a trailing slash. */
export function httpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('Use a URL that starts with http:// or https://.')
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new InvalidArgumentError('Use a URL without user, password, query and fragment.')
  }
  return url.href.replace(/(?<!\/)\/+$/, '')
}

/** Parses the path below which a mock answers. */
export function basePath(text: string): string {
  if (!/^(\/[\w.~-]+)+$/.test(text))
    throw new InvalidArgumentError('Use a path such as /team, without a slash at its end.')
  return text
}

/** Parses the kinds of reports to write, joined by commas. */
export function reports(text: string): ReportKind[] {
  return listOf(text, reportKinds)
}

/** Parses the kinds of reports of a session, joined by commas. */
export function sessionReports(text: string): SessionReportKind[] {
  return listOf(text, sessionReportKinds)
}

function listOf<Kind extends string>(text: string, known: readonly Kind[]): Kind[] {
  const chosen = text.split(',').map((kind) => kind.trim())
  const unknown = chosen.find((kind) => !known.some((one) => one === kind))
  if (unknown !== undefined) {
    throw new InvalidArgumentError(`There is no report '${unknown}'. Use one or more of ${known.join(',')}.`)
  }
  return known.filter((kind) => chosen.includes(kind))
}

/** Parses a time to seconds: `10`, `10s` or `500ms`. */
function seconds(text: string): number {
  const [, digits = '', unit = 's'] = text.match(/^(\d{1,6}(?:\.\d+)?)(ms|s)?$/) ?? []
  const value = Number(digits) * (unit === 'ms' ? 0.001 : 1)
  if (!digits || value > 300) throw new InvalidArgumentError('Use a time of up to 300 seconds, such as 10s or 500ms.')
  return value
}

/** Parses requests per second: `5` or `5/s`. */
export function perSecond(text: string): number {
  const [, digits = ''] = text.match(/^(\d{1,4}(?:\.\d+)?)(?:\/s)?$/) ?? []
  if (!digits || Number(digits) === 0) throw new InvalidArgumentError('Use requests per second, such as 5/s.')
  return Number(digits)
}

/** The options of the commands that call a deployment. Each command adds them in its own order. */
export const deploymentOptions = {
  url: () =>
    new Option('--url <url>', 'base URL of the deployment; set its key in COUNTERSIGN_API_KEY').argParser(httpUrl),
  header: () =>
    new Option(
      '--header <header...>',
      "send 'Name: value' with each call of the service; 'Name: env:VARIABLE' reads the value from a variable",
    ),
}

/** Adds the options for the connections to a deployment, and for its protection. `effect` ends the description of `--insecure`. */
export function addCallOptions(command: Command, effect = ''): Command {
  command
    .addOption(
      new Option('--request-timeout <time>', 'wait this long for each answer, in seconds or such as 500ms')
        .argParser(seconds)
        .default(10),
    )
    .addOption(
      new Option('--settle <time>', 'wait this long for the effects of a call to show (default: 10s)').argParser(
        seconds,
      ),
    )
    .addOption(
      new Option(
        '--rate-limit <rate>',
        'limit the requests per second (default: 5/s, unlimited on loopback)',
      ).argParser(perSecond),
    )
  return addConnectionOptions(command, effect).option('--allow-live-key', 'accept a key without a test-mode prefix')
}

/** Adds the options for connections, which `connectionOf` takes. `effect` ends the description of `--insecure`. */
export function addConnectionOptions(command: Command, effect = ''): Command {
  return command
    .option('--cacert <file>', 'trust the certificate authorities in this PEM file too')
    .option('--cert <file>', 'show the server this client certificate (PEM), if it wants one')
    .option('--key <file>', 'key of that certificate (default: in the same file), see COUNTERSIGN_KEY_PASSPHRASE')
    .option('--insecure', `skip the check of certificates${effect}`)
}

/** The most characters in a line of help. */
const mostColumns = 100

/** Returns a text for the end of a command's help. Its paragraphs are wrapped: a line break counts before a blank line, a space or `Word:`. */
export function wrapped(text: string): (context: AddHelpTextContext) => string {
  const paragraphs = text.replaceAll(/(?<=\S)\n(?=\S)(?![A-Z][a-z ]+:)/g, ' ')
  return ({ command }) => command.createHelp().boxWrap(paragraphs, mostColumns)
}
