/** Replaces members of global objects. */

/** Returns a URL in full, as the page resolves it. */
export function absolute(url: string): string {
  const page = globalThis.location?.href
  return URL.canParse(url) || page === undefined ? url : new URL(url, page).href
}

/** Replaces a member of an object. Returns a function that puts it back, unless something else was put there meanwhile. */
export function replace<Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  replacement: (original: Owner[Name]) => Owner[Name],
): () => void {
  const original = owner[name]
  const own = replacement(original)
  owner[name] = own
  return () => {
    if (owner[name] === own) owner[name] = original
  }
}
