/** What is known of a call when its answer is rendered. */
import type { OperationId } from '../contract/operations.ts'
import { writeTime, type Facts } from './template.ts'

/** A call, and what the contract answers to it. */
export interface AnsweredCall {
  /** Absent for a path or method that the contract does not have. */
  readonly call?: OperationId | undefined
  readonly status: number
  /** The contract's body: JSON, or text. */
  readonly body: unknown
  readonly request?: unknown
  readonly path?: Readonly<Record<string, string>>
  /** The address of the service, without a trailing slash. */
  readonly base: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Returns the facts of a call: what the contract answers is an answer or a problem. */
export function factsOfCall({ call: operation, status, body, request, path = {}, base, now }: AnsweredCall): Facts {
  const outcome = status < 400 ? { answer: body } : { problem: problemOf(body, status, operation) }
  return { request, path, base, now: String(writeTime(now, 'iso')), operation, ...outcome }
}

/** Returns a refusal's members: those of a problem (RFC 9457), or of storage's XML. */
function problemOf(body: unknown, status: number, operation: OperationId | undefined): unknown {
  if (body !== null && typeof body === 'object') return { ...body, operation }
  const xml = String(body ?? '')
  const element = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? null
  return { status, code: element('Code') ?? 'storage-error', detail: element('Message'), operation }
}
