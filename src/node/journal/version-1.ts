import type { RecordedEvent } from '../../world/events.ts'
import type { Damage } from './errors.ts'
import { headerOfVersion1, tenantJson } from './format.ts'
import { linesOf } from './lines.ts'
import type { NewFile } from './new-file.ts'

const types = {
  WorkflowCreated: true,
  ExecutionStarted: true,
  StepAssigned: true,
  AssignmentWithdrawn: true,
  StepDecided: true,
  ExecutionCompleted: true,
  UploadRequested: true,
  ObjectStored: true,
  UploadConfirmed: true,
} satisfies Record<RecordedEvent['type'], true>

type Line = { readonly tenant: string } & ({ readonly forget: true } | RecordedEvent)

/** The outcome of a conversion. */
export interface Converted {
  /** Size of an incomplete last line, in bytes; 0 if there is none. */
  readonly torn: number
  /** The first damaged line, at which the conversion stopped. */
  readonly damage?: Damage
}

/** Copies a journal of version 1 into a new file. Version 1 has no checksums, so only the order of events is checked. */
export function convert(source: number, target: NewFile): Converted {
  /** The number of events so far, by tenant. */
  const counts = new Map<string, number>()
  for (const { bytes, offset, number, isWhole } of linesOf(source)) {
    if (!isWhole) return { torn: bytes.length }
    const text = bytes.toString()
    if (number === 1 && text === headerOfVersion1) continue
    const line = parse(text)
    if (!line) return { torn: 0, damage: { line: number, offset, reason: 'is not an event' } }
    const { tenant, ...record } = line
    if ('forget' in record) {
      if (target.ledger.has(tenant)) target.add('forget', tenant, tenantJson(tenant, record))
      counts.delete(tenant)
      continue
    }
    const expected = (counts.get(tenant) ?? 0) + 1
    if (record.seq !== expected) {
      const reason = `is event ${record.seq} of its key instead of ${expected}`
      return { torn: 0, damage: { line: number, offset, reason } }
    }
    counts.set(tenant, expected)
    target.add('event', tenant, tenantJson(tenant, record))
  }
  return { torn: 0 }
}

function parse(text: string): Line | undefined {
  try {
    const line = JSON.parse(text)
    return isLine(line) ? line : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isLine(line: unknown): line is Line {
  if (typeof line !== 'object' || line === null) return false
  const { tenant, forget, type, seq, at } = line as Partial<Record<string, unknown>>
  if (typeof tenant !== 'string') return false
  if (forget === true) return true
  return typeof type === 'string' && Object.hasOwn(types, type) && Number.isSafeInteger(seq) && typeof at === 'number'
}
