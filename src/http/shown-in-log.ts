import type { Context, Outgoing } from '../wire/exchange.ts'
import { redactorOf } from '../wire/redactor.ts'
import { storagePrefix } from './storage/storage-path.ts'

/** The longest path and reason in the log, in characters. */
const longestText = 1000

/** Returns the path of a call and the reason of its refusal for the log, without secrets. */
export async function shownInLog(context: Context, answer: Outgoing) {
  const { headers, path, search } = context.received
  const redactor = mayShowSecret(context, answer)
    ? await redactorOf(headers(), path + search, answer.headers)
    : undefined
  const show = (text: string) => copy((redactor?.text(text) ?? text).slice(0, longestText))
  const { refusal } = answer
  return {
    path: redactor || path.length + search.length > longestText ? show(path) : path,
    ...(refusal && { refusal: { ...refusal, detail: show(refusal.detail) } }),
  }
}

/**
 * Returns true if the log could show a secret of a call: in a path that the mock has not made, or the signature that a deployment's
 * style puts into one. Most calls have neither, and a redactor takes as long as one of them.
 */
function mayShowSecret({ received, route }: Context, { status, refusal }: Outgoing): boolean {
  if (route?.id === 'putObject') return !received.path.startsWith(storagePrefix)
  return status >= 400 || refusal !== undefined
}

/** Returns a text that does not keep the longer string in memory that it is a part of. */
function copy(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text))
}
