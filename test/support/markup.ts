/** Elements of HTML that have no end tag. */
const empty = new Set(['meta', 'br', 'hr', 'img', 'link', 'input'])

interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

/**
 * Returns the elements of a document in order. Throws if it is not well-formed: a stray `<` or `&`, an unquoted attribute, an end
 * tag without a start tag, an element that is never closed.
 */
export function elementsOf(document: string): Element[] {
  const open: string[] = []
  const elements: Element[] = []
  const text = document.replace(/^<\?xml [^<>]*\?>\n|^<!doctype html>\n/, '')
  const token =
    /<(\/?)([a-z][a-z0-9-]*)((?:\s+[a-z-]+(?:="[^"<]*")?)*)\s*(\/?)>|[^<&]+|&(?:amp|lt|gt|quot|#\d+);|[<&]/gi
  for (const [found, slash, name, list = '', selfClosed] of text.matchAll(token)) {
    if (found === '<' || found === '&') throw new Error(`stray ${found} in ${open.join(' ')}`)
    if (!name) continue
    if (slash) {
      const last = open.pop()
      if (last !== name) throw new Error(`</${name}> ends <${last}>`)
      continue
    }
    if (/&(?!(?:amp|lt|gt|quot|#\d+);)/.test(list)) throw new Error(`stray & in <${name}${list}>`)
    const attributes = Object.fromEntries(
      [...list.matchAll(/([a-z-]+)(?:="([^"]*)")?/gi)].map(([, key, value = '']) => [key, value]),
    )
    elements.push({ name, attributes })
    if (!selfClosed && !empty.has(name)) open.push(name)
  }
  if (open.length > 0) throw new Error(`open at the end: ${open.join(' ')}`)
  return elements
}

/** Characters that no report may contain: controls except line breaks and tabs, and those that XML 1.0 forbids. */
export const forbidden = /(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufffe\uffff\p{Cs}]/u
