import type { ErrorCall } from './error-call.ts'
import type { ShellCall } from './shell.ts'

/** Returns a function that makes error calls of an operation by changing a correct call. */
export function refusalsOf(operationId: string, sound: ShellCall) {
  return (status: number, code: string, wrong: string, change: Partial<ShellCall>): ErrorCall => ({
    operationId,
    status,
    code,
    wrong,
    calls: [{ ...sound, ...change }],
  })
}
