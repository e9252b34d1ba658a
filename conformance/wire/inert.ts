/**
 * Characters that are invisible, or that programs interpret instead of displaying: control, bidirectional and other format
 * characters, line separators, private-use characters, unpaired surrogates, and noncharacters.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Noncharacter_Code_Point}]/gu

/** Makes hidden characters visible, in text that a server may have chosen. The result is one line. */
export function showHidden(text: string): string {
  return text.replaceAll(hidden, toVisible)
}

/** Makes hidden characters visible, but keeps line breaks and tabs. */
export function showHiddenInLines(text: string): string {
  return text.replaceAll(/\r\n/g, '\n').replaceAll(hidden, (found) => (/[\n\t]/.test(found) ? found : toVisible(found)))
}

/** Truncates a text to `length` UTF-16 code units, without splitting a character. The last one is an ellipsis then. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Escapes a text for HTML and XML, also in attributes. */
export function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

function toVisible(found: string): string {
  const code = found.codePointAt(0) ?? 0
  // Unicode has a symbol for each ASCII control character.
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  if (code === 0x7f) return '␡'
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
}
