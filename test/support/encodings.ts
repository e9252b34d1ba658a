/** A way to write a text, and to read it. Reading leaves alone what it does not understand. */
export interface Encoding {
  readonly name: string
  write(text: string): string
  read(text: string): string
}

const each = (text: string, write: (code: number) => string) =>
  Array.from(text, (character) => write(character.charCodeAt(0))).join('')
const hexOf = (code: number, digits: number) => code.toString(16).padStart(digits, '0')
const fromHex = (_: string, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))
const isSign = (code: number) => /\W/.test(String.fromCharCode(code))
/** Signs, each in front of its name. */
const named = '&amp <lt >gt "quot \'apos /sol +plus =equals %percnt \\bsol ?quest #num @commat :colon ,comma .period'
const signs = new Map(named.split(' ').map((one) => [one.slice(1), one.charAt(0)]))
const names = new Map([...signs].map(([name, sign]) => [sign, name]))

/** Returns an encoding in which groups of `size` characters have a separator between them. */
const grouped = (name: string, separator: string, size: number): Encoding => ({
  name: `in groups with ${name}`,
  write: (text) => text.replaceAll(/[-._:|/~*]/g, '').replaceAll(new RegExp(`.{${size}}(?=.)`, 'g'), `$&${separator}`),
  read: (text) => text.replaceAll(separator, ''),
})

/** The encodings of characters, which can be applied again and again. */
export const escapings: readonly Encoding[] = [
  { name: 'as it is', write: (text) => text, read: (text) => text },
  { name: 'percent-encoded', write: encodeURIComponent, read: (text) => text.replaceAll(/%([\da-f]{2})/gi, fromHex) },
  {
    name: 'percent-encoded in full',
    write: (text) => each(text, (code) => `%${hexOf(code, 2).toUpperCase()}`),
    read: (text) => text.replaceAll(/%([\da-f]{2})/gi, fromHex),
  },
  {
    name: 'with named entities',
    write: (text) => text.replaceAll(/\W/g, (sign) => (names.has(sign) ? `&${names.get(sign)};` : sign)),
    read: (text) => text.replaceAll(/&(\w+);/g, (all, name) => signs.get(name) ?? all),
  },
  {
    name: 'with decimal entities',
    write: (text) => each(text, (code) => (isSign(code) ? `&#${code};` : String.fromCharCode(code))),
    read: (text) => text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code)),
  },
  {
    name: 'with hexadecimal entities',
    write: (text) => each(text, (code) => `&#x${hexOf(code, 2).toUpperCase()};`),
    read: (text) => text.replaceAll(/&#x([\da-f]+);/gi, fromHex),
  },
  {
    name: 'in JSON that escapes slashes',
    write: (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
    read: (text) => text.replaceAll(/\\(["\\/])/g, '$1'),
  },
  {
    name: 'in JSON as codes',
    write: (text) => each(text, (code) => `\\u${hexOf(code, 4)}`),
    read: (text) => text.replaceAll(/\\u([\da-f]{4})/g, fromHex),
  },
  {
    name: 'in JavaScript',
    write: (text) => each(text, (code) => `\\x${hexOf(code, 2)}`),
    read: (text) => text.replaceAll(/\\x([\da-f]{2})/g, fromHex),
  },
  {
    name: 'in CSS',
    write: (text) => each(text, (code) => (isSign(code) ? `\\${hexOf(code, 6)} ` : String.fromCharCode(code))),
    read: (text) => text.replaceAll(/\\([\da-f]{6}) /g, fromHex),
  },
]

const base64 = (alphabet: 'base64' | 'base64url', before: string): Encoding => ({
  name: `in ${alphabet} after ${before.length} characters`,
  write: (text) => Buffer.from(before + text, 'latin1').toString(alphabet),
  read: (text) =>
    [0, 1, 2, 3]
      .map((from) => text.replaceAll(/[\w+/-]+/g, (run) => Buffer.from(run.slice(from), 'base64').toString('latin1')))
      .join('\n'),
})

const hexadecimal = (name: string, change: (text: string) => string): Encoding => ({
  name,
  write: (text) => change(each(text, (code) => hexOf(code, 2))),
  read: (text) => text.replaceAll(/[^\da-f]/gi, '').replaceAll(/([\da-f]{2})/gi, fromHex),
})

/** The encodings of whole texts. */
export const packings: readonly Encoding[] = [
  ...(['base64', 'base64url'] as const).flatMap((alphabet) =>
    ['', 'x', 'xy'].map((before) => base64(alphabet, before)),
  ),
  hexadecimal('in hexadecimal', (text) => text),
  hexadecimal('in upper-case hexadecimal', (text) => text.toUpperCase()),
  hexadecimal('in hexadecimal with colons', (text) => text.replaceAll(/..(?=.)/g, '$&:')),
]

/** The ways to print a key in groups. */
export const groupings: readonly Encoding[] = Object.entries({
  ...{ hyphens: '-', spaces: ' ', dots: '.', 'zero-width spaces': '\u200b' },
  ...{ 'line breaks': '\n', 'carriage returns': '\r\n', 'null bytes': '\0' },
}).map(([name, separator]) => grouped(name, separator, separator === '\0' ? 1 : 4))

/** Returns the runs of 8 characters of a key that are in a text. */
export function runsIn(text: string, key: string): string[] {
  const runs = Array.from({ length: key.length - 7 }, (_, from) => key.slice(from, from + 8))
  return runs.filter((run) => text.includes(run))
}
