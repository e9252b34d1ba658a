import { UsageError } from './exit.ts'

/** A secret that a header can carry. Throws a `UsageError` that never repeats it; `name` says where it comes from. */
export function sendable(name: string, secret: string): string {
  if (/^[\x21-\x7e]+$/.test(secret)) return secret
  const why = secret === '' ? 'is empty' : 'has a space, a line break or a character outside ASCII'
  throw new UsageError(`Failed to start: because ${name} ${why}. Set it to the value alone, or leave it out.`)
}
