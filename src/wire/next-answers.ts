import { isHeaderName, isStatus } from '../contract/http.ts'
import { type OperationId, operations } from '../contract/operations.ts'
import { requireKnownOptions } from '../known-options.ts'

/** Replaces the answers to the next matching calls. The mock does not carry out these calls. */
export interface NextAnswer {
  /** From 200 to 599. Without a status, the mock carries out the call as usual, after `delayMs`. */
  readonly status?: number
  /** JSON, or a text that is sent unchanged. @default a problem with the code `injected-fault` from status 400 on, else no body */
  readonly body?: unknown
  /** Additional headers of the answer. @default none */
  readonly headers?: Readonly<Record<string, string>>
  /** Real milliseconds before the answer, up to 60,000. @default 0 */
  readonly delayMs?: number
  /** `'broken'` ends the connection without an answer. @default 'kept' */
  readonly connection?: 'kept' | 'broken'
  /** The number of calls that get this answer, up to 1,000. @default 1 */
  readonly times?: number
}

/** A queued answer. */
export interface WaitingAnswer extends NextAnswer {
  readonly operationId: OperationId
  /** The tenant whose calls get the answer; undefined for all tenants. */
  readonly tenantId: string | undefined
  /** The number of calls that still get this answer. */
  readonly times: number
}

const most = 1000
const longestDelayMs = 60_000

/** The queued answers, the oldest first; at most 1,000. */
export class NextAnswers {
  #waiting: WaitingAnswer[] = []

  /** Queues an answer. Throws a `RangeError` if it is not valid or the queue is full, and a `TypeError` if it has an unknown member. */
  add(operationId: OperationId, answer: NextAnswer, tenantId?: string): void {
    requireValid(operationId, answer)
    if (this.#waiting.length >= most) {
      throw new RangeError(`${most} answers are already queued. Send the calls that they are for, or reset the mock.`)
    }
    this.#waiting.push({ ...answer, times: answer.times ?? 1, operationId, tenantId })
  }

  /** Returns the oldest answer that matches a call, and takes one call off its count. */
  take(operationId: OperationId, tenantId: string): WaitingAnswer | undefined {
    const index = this.#waiting.findIndex(
      (one) => one.operationId === operationId && (one.tenantId ?? tenantId) === tenantId,
    )
    const found = this.#waiting[index]
    if (!found) return undefined
    if (found.times > 1) this.#waiting[index] = { ...found, times: found.times - 1 }
    else this.#waiting.splice(index, 1)
    return found
  }

  /** Returns the queued answers, or those of one tenant. */
  list(tenantId?: string): readonly WaitingAnswer[] {
    return this.#waiting.filter((one) => tenantId === undefined || one.tenantId === tenantId)
  }

  /** Removes the queued answers, or those of one tenant. */
  clear(tenantId?: string): void {
    this.#waiting = tenantId === undefined ? [] : this.#waiting.filter((one) => one.tenantId !== tenantId)
  }
}

const nextAnswerNames: Readonly<Record<keyof NextAnswer, true>> = {
  status: true,
  body: true,
  headers: true,
  delayMs: true,
  connection: true,
  times: true,
}

function requireValid(operationId: OperationId, answer: NextAnswer): void {
  if (answer === null || typeof answer !== 'object') {
    throw new TypeError('There is no answer. Pass one as the second argument, such as { status: 503 }.')
  }
  requireKnownOptions(answer, nextAnswerNames)
  const { status, delayMs = 0, times = 1, connection = 'kept', headers = {} } = answer
  if (!Object.hasOwn(operations, operationId)) {
    throw new RangeError(`Unknown operation '${operationId}'. Use one of ${Object.keys(operations).join(', ')}.`)
  }
  if (status !== undefined && !isStatus(status)) {
    throw new RangeError(`The status ${status} is not valid. Use a number from 200 to 599.`)
  }
  if (!(delayMs >= 0 && delayMs <= longestDelayMs)) {
    throw new RangeError(`The delay of ${delayMs} ms is not valid. Use a number from 0 to ${longestDelayMs}.`)
  }
  if (!(Number.isInteger(times) && times >= 1 && times <= most)) {
    throw new RangeError(`An answer cannot be used ${times} times. Use a number from 1 to ${most}.`)
  }
  if (connection !== 'kept' && connection !== 'broken') {
    throw new RangeError(`Unknown connection '${connection}'. Use kept or broken.`)
  }
  if (status === undefined && connection === 'kept' && delayMs === 0) {
    throw new RangeError("The answer changes nothing. Set a status, a delayMs, or connection: 'broken'.")
  }
  for (const [name, value] of Object.entries(headers)) requireHeader(name, value)
}

/** Throws a `RangeError` if a header cannot be sent (RFC 9110 sections 5.1 and 5.5). */
function requireHeader(name: string, value: string): void {
  const isValue = typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
  if (isHeaderName(name) && isValue) return
  throw new RangeError(`The header '${name}' cannot be sent. Use a name and a value of printable ASCII.`)
}
