import type { ErrorCall } from './error-call.ts'
import type { Call } from './shell.ts'

/** Makes error calls of an operation out of a sound call, by what is changed about it. */
export function refusalsOf(operationId: string, sound: Call) {
  return (status: number, code: string, wrong: string, change: Partial<Call>): ErrorCall => ({
    operationId,
    status,
    code,
    wrong,
    calls: [{ ...sound, ...change }],
  })
}
