/** Answers in the place of the mock's own. Next answers, `Prefer`, its twin in the query and faults are spellings of one form. */
import { hasNoBody } from '../contract/http.ts'
import { drain } from '../wire/body.ts'
import { type Context, type Outgoing, operationOf } from '../wire/exchange.ts'
import { wait } from '../wire/limits.ts'
import type { NextAnswer, NextAnswers } from '../wire/next-answers.ts'
import type { Preferences } from '../wire/prefer.ts'
import { Problem } from '../wire/problem.ts'
import { StorageError } from './storage/storage-error.ts'

/** An answer, and what its error says if it has no body of its own. */
interface Override extends NextAnswer {
  readonly detail: string
}

/**
 * Returns an answer that replaces the call's own: a queued answer, the answer that the request prefers, or a fault. Undefined if there is
 * none. Waits for its delay, and reads the body of the request to its end.
 */
export async function overrideOf(
  context: Context,
  nextAnswers: NextAnswers,
  { code, example }: Preferences,
  fault: number | undefined,
): Promise<Outgoing | undefined> {
  const id = operationOf(context)
  const next = id && nextAnswers.take(id, context.tenantId ?? '')
  await wait(next?.delayMs)
  if (next?.connection === 'broken') return { status: 0, headers: [], isBroken: true, isFinal: true }
  if (next?.status !== undefined)
    return answerWith(context, { ...next, detail: 'A test asked the mock for this answer.' })
  if (id && (code !== undefined || example !== undefined)) {
    // The contract's examples are large.
    const { exampleOf } = await import('../wire/preferred-answer.ts')
    return answerWith(context, exampleOf(id, code, example))
  }
  if (id === undefined || fault === undefined) return undefined
  const detail = 'The settings of the mock ask for this error. Remove the fault with PUT /__admin/settings.'
  return answerWith(context, { status: fault, detail })
}

async function answerWith({ request, route }: Context, override: Override): Promise<Outgoing> {
  await drain(request)
  const { status = 200, body, headers = {}, detail } = override
  if (body === undefined && status >= 400) {
    const error =
      route?.part === 'storage'
        ? new StorageError('InternalError', detail, { status, headers })
        : new Problem('injected-fault', detail, { status, headers })
    return { ...error.toOutgoing(request.path), isFinal: true }
  }
  const own = Object.entries(headers)
  if (body === undefined || hasNoBody(status)) return { status, headers: own, isFinal: true }
  const hasType = own.some(([name]) => name.toLowerCase() === 'content-type')
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json'
  return {
    status,
    headers: hasType ? own : [['Content-Type', type], ...own],
    body: typeof body === 'string' ? body : JSON.stringify(body),
    isFinal: true,
  }
}
