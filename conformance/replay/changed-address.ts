import { memberCalled } from '../reading/locate.ts'

/**
 * Repeats on a new upload URL the changes that a session made to its own: values that the session altered are altered, parameters
 * that it left out are left out, and a path in the same folder gets another last segment. Returns undefined if the address that
 * the session sent to is no changed upload URL.
 */
export function changedAddress({
  shown,
  sent,
  now,
}: {
  /** The recorded answer to the upload request. */
  readonly shown: unknown
  /** The recorded address. */
  readonly sent: string
  /** The upload URL now. */
  readonly now: string
}): string | undefined {
  const recorded = String(memberCalled(shown, 'upload_url')?.value)
  if (!URL.canParse(recorded) || !URL.canParse(now)) return undefined
  const [before, after, address] = [new URL(recorded), new URL(sent), new URL(now)]
  if (new URL('.', before).href !== new URL('.', after).href) return undefined
  if (before.pathname !== after.pathname) address.pathname += '-changed'
  for (const [name, value] of before.searchParams) {
    if (!after.searchParams.has(name)) address.searchParams.delete(name)
    else if (after.searchParams.get(name) !== value)
      address.searchParams.set(name, altered(address.searchParams.get(name) ?? ''))
  }
  return address.href
}

/** Returns a text of the same length that differs in its first character. */
function altered(text: string): string {
  const first = text.startsWith('0') ? '1' : '0'
  return text === '' ? first : first + text.slice(1)
}
