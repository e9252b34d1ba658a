import type { Finding, Ground } from '../reading/finding.ts'
import { type Exchange, pathOf } from '../wire/exchange.ts'
import { showHidden, truncate } from '../wire/inert.ts'
import type { Recorded } from '../wire/record.ts'

/** The call that a failure is about, and the values that it compares. */
export interface Compared {
  /** The exchange whose answer shows the failure. */
  readonly exchange: Exchange | Recorded
  /** The value that was sent. Absent if the check compares nothing that was sent. */
  readonly sent?: unknown
  /** The value that the answer shows. `undefined` is reported as missing. @default the value of the place that it rests on */
  readonly shown?: unknown
  /** The JSON Pointer to the value. @default the place that the failure rests on */
  readonly pointer?: string
}

/** The same in words for all outputs, without hidden characters, with at most 200 characters each. */
export interface Particulars {
  /** Method and path of the call, such as `GET /api/v1/workflows/wf_7`. */
  readonly call?: string
  /** The exchange of the call, as an index into the run's `exchanges`. */
  readonly exchange?: number
  /** JSON Pointer (RFC 6901) to the value in the answer; `*` is any item of a list. */
  readonly pointer?: string
  /** The value that was sent, as JSON. */
  readonly sent?: string
  /** The value that the answer shows, as JSON; `missing` if it shows none. */
  readonly shown?: string
}

/** The longest particular, in characters. */
const longest = 200

/** Describes what a failure is about, as far as it is known. */
export function particularsOf(compared: Compared | undefined, ground: Ground | undefined): Particulars {
  const finding = typeof ground === 'object' ? ground : undefined
  const pointer = compared?.pointer ?? pointerOf(finding)
  const shown = compared && 'shown' in compared ? compared : pointerOf(finding) && { shown: finding?.value }
  return {
    ...(compared && { call: inert(pathOf(compared.exchange.request)) }),
    ...(compared && 'place' in compared.exchange && { exchange: compared.exchange.place }),
    ...(pointer !== undefined && { pointer: inert(pointer) }),
    ...(compared && 'sent' in compared && { sent: inert(asJson(compared.sent)) }),
    ...(shown && { shown: inert(asJson(shown.shown)) }),
  }
}

/** Returns the place of a finding if it is in a JSON body; others are in headers or in an address. */
function pointerOf(finding: Finding | undefined): string | undefined {
  const place = finding?.place.replace(/^\w+(?=\/)/, '')
  return place?.startsWith('/') ? place : undefined
}

const asJson = (value: unknown) => JSON.stringify(value) ?? 'missing'
const inert = (text: string) => truncate(showHidden(text), longest)
