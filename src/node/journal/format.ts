import { crc32 } from 'node:zlib'
import type { ClockReading } from '../../world/clock-reading.ts'
import type { RecordedEvent } from '../../world/events.ts'

/**
 * A journal is JSON lines. Line 1 is the header; each other line is an event, a clock reading or a reset of one tenant, or
 * the closing line of a clean stop. The last member of each line, `sum`, is the CRC-32 of everything before that member,
 * continued from the `sum` of the previous line. So the checksum of a line covers all lines before it.
 */
export const formatVersion = 5

/** The content of a tenant's line. */
export type TenantRecord = RecordedEvent | { readonly clock: ClockReading } | { readonly forget: true }

export type LineKind = 'event' | 'clock' | 'forget' | 'end'

/** The content of the header. */
export interface Header {
  /** Tells the journal from all others. Its copies have the same. */
  readonly id: string
  /** Signs upload URLs. */
  readonly secret: string
}

const headerStart = `{"countersign":"journal","version":${formatVersion},"id":"`
const tenantStart = '{"tenant":"'
const sealStart = Buffer.from(',"sum":"')
const sealLength = ',"sum":"00000000"}'.length
const sealEnd = Buffer.from('"}')
const hexDigits = Buffer.from('0123456789abcdef')
const quote = 0x22
/** The second letter of a line's first member: `tenant`, unlike `end` and `countersign`. */
const ofTenant = 0x74
/** The member after the tenant, in lines that are not events. */
const clockMember = Buffer.from(',"clock":')
const forgetMember = Buffer.from(',"forget":')
/** The last two members of an `ExecutionCompleted`. Both outcomes, `approved` and `rejected`, have eight letters. */
const workflowMember = Buffer.from(',"workflowId":"')
const outcomeMember = Buffer.from(',"outcome":"')
const outcomeLength = ',"outcome":"approved"'.length

/** A line without its line break, and the checksum that the next line continues. */
export interface Sealed {
  readonly line: Buffer
  readonly sum: number
}

/** Turns a JSON object into a line that continues the checksum of the line before. */
export function seal(json: string, before: number): Sealed {
  return sealBody(Buffer.from(json.slice(0, -1)), before)
}

/** Replaces the checksum of a line by one that continues from another line. */
export function reseal(line: Buffer, before: number): Sealed {
  return sealBody(line.subarray(0, -sealLength), before)
}

function sealBody(body: Buffer, before: number): Sealed {
  const sum = crc32(body, before)
  return { line: Buffer.concat([body, Buffer.from(sealOf(sum))]), sum }
}

export function headerJson({ id, secret }: Header): string {
  return JSON.stringify({ countersign: 'journal', version: formatVersion, id, secret })
}

export function tenantJson(tenant: string, record: TenantRecord): string {
  return JSON.stringify({ tenant, ...record })
}

export const endJson = '{"end":true}'

/** Returns the checksum of a line, or undefined if the line is damaged. */
export function verify(line: Buffer, before: number): number | undefined {
  const length = line.length - sealLength
  if (length <= 0) return undefined
  const sum = crc32(line.subarray(0, length), before)
  return isSealedBy(sum, line, length) ? sum : undefined
}

/** Checks whether a line ends with a checksum. Compares bytes, since creating strings takes longer than the checksum. */
function isSealedBy(sum: number, line: Buffer, from: number): boolean {
  const digits = from + sealStart.length
  for (let place = 0; place < 8; place += 1) {
    if (line[digits + place] !== hexDigits[(sum >>> (28 - 4 * place)) & 15]) return false
  }
  return hasAt(line, from, sealStart) && hasAt(line, digits + 8, sealEnd)
}

/** Checks whether a line has these bytes at a position. */
function hasAt(line: Buffer, at: number, wanted: Buffer): boolean {
  for (let index = 0; index < wanted.length; index += 1) if (line[at + index] !== wanted[index]) return false
  return true
}

/** Returns the content of a header of this version. */
export function readHeader(line: Buffer): Header | undefined {
  const text = line.toString()
  return text.startsWith(headerStart) ? JSON.parse(text) : undefined
}

/** Checks whether bytes without a line break could be an incomplete header of a journal. */
export function beginsHeader(bytes: Buffer): boolean {
  const text = bytes.toString()
  return headerStart.startsWith(text) || text.startsWith(headerStart)
}

/** Returns the version in a first line; undefined if it is not the header of a journal. */
export function versionIn(line: Buffer): number | undefined {
  const [, version] = line.toString().match(/^\{"countersign":"journal","version":(\d+)[,}]/) ?? []
  return version === undefined ? undefined : Number(version)
}

/** Reads kind and tenant of a line without parsing it, since its layout is known. */
export function labelOf(line: Buffer): { kind: LineKind; tenant: string } {
  if (line[2] !== ofTenant) return endLabel
  const end = line.indexOf(quote, tenantStart.length)
  const tenant = line.toString('latin1', tenantStart.length, end)
  if (hasAt(line, end + 1, clockMember)) return { kind: 'clock', tenant }
  return { kind: hasAt(line, end + 1, forgetMember) ? 'forget' : 'event', tenant }
}

const endLabel = { kind: 'end', tenant: '' } as const

/** Returns the workflow of an `ExecutionCompleted`; undefined for all other event lines. The line must be verified. */
export function completedIn(line: Buffer): string | undefined {
  const from = line.length - sealLength - outcomeLength
  if (!hasAt(line, from, outcomeMember)) return undefined
  const at = line.lastIndexOf(workflowMember, from)
  return at < 0 ? undefined : line.toString('utf8', at + workflowMember.length, from - 1)
}

/** Parses a verified line of a tenant. */
export function recordIn(line: Buffer, tenant: string): TenantRecord {
  const from = tenantStart.length + tenant.length + 2
  return JSON.parse(`{${line.toString('utf8', from, line.length - sealLength)}}`)
}

function sealOf(sum: number): string {
  return `,"sum":"${sum.toString(16).padStart(8, '0')}"}`
}
