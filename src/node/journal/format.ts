import { crc32 } from 'node:zlib'
import type { ClockReading } from '../../world/clock-reading.ts'
import type { RecordedEvent } from '../../world/events.ts'
import { WrittenCreation } from '../../world/written-creation.ts'

/**
 * A journal is JSON lines. Line 1 is the header; each other line is an event, a clock reading or a reset of one tenant, or
 * the closing line of a clean stop. The last member of each line, `sum`, is the CRC-32 of the line before that member,
 * continued from the `sum` of the line before. So each line vouches for all lines before it.
 */
export const formatVersion = 2

/** What a tenant's line says. */
export type TenantRecord = RecordedEvent | { readonly clock: ClockReading } | { readonly forget: true }

export type LineKind = 'event' | 'clock' | 'forget' | 'end'

/** The header of version 1, which had no checksums. */
export const headerOfVersion1 = '{"countersign":"journal","version":1}'

const headerStart = `{"countersign":"journal","version":${formatVersion},"secret":"`
const tenantStart = '{"tenant":"'
const sealLength = ',"sum":"00000000"}'.length
const quote = 0x22

/** A line to be written. */
export interface NewLine {
  readonly kind: LineKind
  readonly tenant: string
  readonly json: string
}

/** A line that still counts. Its bytes are valid until the next line is read. */
export interface LiveLine {
  readonly kind: LineKind
  readonly tenant: string
  readonly bytes: Buffer
  readonly offset: number
  readonly number: number
}

/** A line with its checksum and line break, and the checksum that the next line continues. */
export interface Sealed {
  readonly text: string
  readonly sum: number
}

/** Turns a JSON object into a line that continues the checksum of the line before. */
export function seal(json: string, before: number): Sealed {
  const body = json.slice(0, -1)
  const sum = crc32(body, before)
  return { text: `${body}${sealOf(sum)}\n`, sum }
}

/** The same line, continuing another checksum. */
export function reseal(line: Buffer, before: number): { readonly bytes: Buffer; readonly sum: number } {
  const body = line.subarray(0, line.length - sealLength)
  const sum = crc32(body, before)
  return { bytes: Buffer.concat([body, Buffer.from(`${sealOf(sum)}\n`, 'latin1')]), sum }
}

export function headerJson(secret: string): string {
  return JSON.stringify({ countersign: 'journal', version: formatVersion, secret })
}

export function tenantJson(tenant: string, record: TenantRecord): string {
  return JSON.stringify({ tenant, ...record })
}

export const endJson = '{"end":true}'

/** The checksum of a line, if the line is as it was written. */
export function verify(line: Buffer, before: number): number | undefined {
  const length = line.length - sealLength
  if (length <= 0) return undefined
  const sum = crc32(line.subarray(0, length), before)
  return line.toString('latin1', length) === sealOf(sum) ? sum : undefined
}

/** The signing secret in a header of this version. */
export function secretIn(header: Buffer): string | undefined {
  const text = header.toString()
  return text.startsWith(headerStart) ? JSON.parse(text).secret : undefined
}

/** Whether bytes without a line break may be the beginning of a header of ours. */
export function beginsHeader(bytes: Buffer): boolean {
  const text = bytes.toString()
  return [headerStart, headerOfVersion1].some((start) => start.startsWith(text) || text.startsWith(start))
}

/** The version that a first line names; undefined if it is not a header of a journal. */
export function versionIn(line: Buffer): number | undefined {
  const [, version] = line.toString().match(/^\{"countersign":"journal","version":(\d+)[,}]/) ?? []
  return version === undefined ? undefined : Number(version)
}

/** Reads what a verified line is about without parsing it: its layout is ours. */
export function labelOf(line: Buffer): { kind: LineKind; tenant: string } {
  if (line.toString('latin1', 0, tenantStart.length) !== tenantStart) return { kind: 'end', tenant: '' }
  const end = line.indexOf(quote, tenantStart.length)
  const tenant = line.toString('latin1', tenantStart.length, end)
  const member = line.toString('latin1', end + 3, end + 6)
  return { kind: member === 'clo' ? 'clock' : member === 'for' ? 'forget' : 'event', tenant }
}

/** What a verified line of a tenant says. */
export function recordIn(line: Buffer, tenant: string): TenantRecord {
  const from = tenantStart.length + tenant.length + 2
  const members = line.toString('utf8', from, line.length - sealLength)
  const at = members.indexOf(definitionMember)
  if (at < 0) return JSON.parse(`{${members}}`)
  // Most workflows are never looked at again, and cost least as text.
  const creation = JSON.parse(`{${members.slice(0, at)}}`)
  return new WrittenCreation(creation, { text: members.slice(at + definitionMember.length), read: JSON.parse })
}

/** The last member of a `WorkflowCreated`. Before it there is no text of users, and within text its quotes are escaped. */
const definitionMember = ',"definition":'

function sealOf(sum: number): string {
  return `,"sum":"${sum.toString(16).padStart(8, '0')}"}`
}
