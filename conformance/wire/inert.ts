/**
 * What a reader cannot see and what programs obey instead of show: control characters, bidirectional and other format
 * characters, separators of lines, private characters, halves of characters, and code points that are none.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Noncharacter_Code_Point}]/gu

/** Text that servers chose in part, on one line: what is hidden in it is made visible. */
export function inert(text: string): string {
  return text.replaceAll(hidden, visible)
}

/** As `inert`, but line breaks and tabs stay. */
export function inertLines(text: string): string {
  return text.replaceAll(/\r\n/g, '\n').replaceAll(hidden, (found) => (/[\n\t]/.test(found) ? found : visible(found)))
}

/** The beginning of a text; whole characters, and a mark where it was cut. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Text that neither HTML nor XML takes for markup, in an attribute either. */
export function entities(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

function visible(found: string): string {
  const code = found.codePointAt(0) ?? 0
  // Unicode has a picture for each of the ASCII controls.
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  if (code === 0x7f) return '␡'
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
}
