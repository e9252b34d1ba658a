import type { ErrorCall } from './error-call.ts'
import type { ShellCall } from './shell.ts'

/** Makes error calls of an operation out of a sound call, by what is changed about it. */
export function refusalsOf(operationId: string, sound: ShellCall) {
  return (status: number, code: string, wrong: string, change: Partial<ShellCall>): ErrorCall => ({
    operationId,
    status,
    code,
    wrong,
    calls: [{ ...sound, ...change }],
  })
}
