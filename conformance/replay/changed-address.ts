import { membersOf, valueAt } from '../reading/locate.ts'

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
  /** The answer now. */
  readonly now: unknown
}): string | undefined {
  const found = membersOf(shown).find(({ name, value }) => name === 'upload_url' && URL.canParse(String(value)))
  const fresh = memberOf(now, found?.pointer)
  if (!found || fresh === undefined) return undefined
  const [before, after, address] = [new URL(String(found.value)), new URL(sent), new URL(fresh)]
  const folder = (url: URL) => url.origin + url.pathname.slice(0, url.pathname.lastIndexOf('/') + 1)
  if (folder(before) !== folder(after)) return undefined
  if (before.pathname !== after.pathname) address.pathname += '-changed'
  for (const [name, value] of before.searchParams) {
    if (!after.searchParams.has(name)) address.searchParams.delete(name)
    else if (after.searchParams.get(name) !== value)
      address.searchParams.set(name, altered(address.searchParams.get(name) ?? ''))
  }
  return address.href
}

function memberOf(json: unknown, pointer = ''): string | undefined {
  const value = valueAt(json, pointer) ?? membersOf(json).find(({ name }) => name === 'upload_url')?.value
  return typeof value === 'string' && URL.canParse(value) ? value : undefined
}

/** Returns a text of the same length that differs in its first character. */
function altered(text: string): string {
  const first = text.startsWith('0') ? '1' : '0'
  return text === '' ? first : first + text.slice(1)
}
