/** Writes texts as values of headers, which are ASCII without control characters. */

/**
 * Returns a text as a header can carry it. What it cannot carry becomes UTF-8 in percent-encoding; in parameters of
 * `Content-Disposition` and `Link` as RFC 8187 says (`filename*=UTF-8''…`), in addresses as RFC 3986 does.
 */
export function headerValue(name: string, text: string): string {
  if (/^[ -~]*$/.test(text)) return text
  const whole = text.toWellFormed()
  return encoded(writers.get(name.toLowerCase())?.(whole) ?? whole, /[^ -~]/gu)
}

/** Returns a text as the value of a parameter whose name ends with a star (RFC 8187). */
export function extendedValue(text: string): string {
  return `UTF-8''${encoded(text.toWellFormed(), /[^\w!#$&+.^`|~-]/gu)}`
}

/** Headers whose values have a form of their own for other characters. */
const writers: ReadonlyMap<string, (text: string) => string> = new Map([
  ['content-disposition', withExtendedParameters],
  ['content-location', asAddress],
  ['link', (text) => withExtendedParameters(text.replaceAll(/<[^<>]*>/g, (one) => `<${asAddress(one.slice(1, -1))}>`))],
  ['location', asAddress],
])

/** Encodes the characters that no address has (RFC 3986 section 2). */
function asAddress(text: string): string {
  return encoded(text, /[^\w.~:/?#[\]@!$&'()*+,;=%-]/gu)
}

/** Writes parameters with characters outside ASCII as RFC 8187 says, unless there is such a parameter beside it. */
function withExtendedParameters(text: string): string {
  return text.replaceAll(
    /;\s*([\w!#$%&'+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s";,]+))/gsu,
    (parameter, name: string, quoted: string | undefined, plain = '') => {
      const value = quoted === undefined ? plain : quoted.replaceAll(/\\(.)/gsu, '$1')
      if (/^[ -~]*$/.test(value) || text.includes(`${name}*=`)) return parameter
      return `; ${name}*=${extendedValue(value)}`
    },
  )
}

function encoded(text: string, characters: RegExp): string {
  const write = (byte: number) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  return text.replaceAll(characters, (one) => Array.from(new TextEncoder().encode(one), write).join(''))
}
