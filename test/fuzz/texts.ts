import fc from 'fast-check'
import { character } from '../support/character.ts'

/** Returns the words of a text. */
export const wordsOf = (text: string) => text.trim().split(/\s+/)

const hostileJson = wordsOf(`
  null true [] {} "" 0 -0 -1 1.5 1e400 -1e400 1e-400 9007199254740993 1e21 "\\ud800" "\\udc00x" "\\u0000"
  "\\u202egpj.exe" "__proto__" "constructor" {"__proto__":{"polluted":true}}
  {"constructor":{"prototype":{"polluted":true}}} {"a":1,"a":2} {"toString":1,"valueOf":2,"hasOwnProperty":3}
  [[[[[[[[[[]]]]]]]]]] "%2e%2e%2f" "../../x" "<script>" NaN Infinity undefined 01 {a:1} [1,] /*x*/1 "\\x41"
  "P9999W99999DT999999H" "PT0S" "P1Y" "2026-02-30" "a@b" "tenants/../x"
`)

/** JSON values as text, including ones that JavaScript cannot represent: too large, with repeated names, with half a character. */
export const nastyJson: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(...hostileJson, '"\\r\\nX: y"', '"\ufeff"', "'x'", '"\t"', '\u00a0', '"text/plain; "'),
  },
  fc.json(),
  fc.string({ unit: character, maxLength: 40 }).map((text) => JSON.stringify(text)),
  fc.nat(2000).map((length) => JSON.stringify('é'.repeat(length))),
  fc.nat(1200).map((length) => `[${Array.from({ length }, () => '{}').join()}]`),
  fc.nat(400).map((levels) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`),
  fc.double().map(String),
  fc.maxSafeInteger().map(String),
)

/** Names of members, some with a special meaning in JavaScript. */
export const nastyNames = fc.constantFrom(
  ...['', ' ', 'name '],
  ...wordsOf('__proto__ constructor prototype toString hasOwnProperty Name \u0000 x'),
)

const hostileParts = wordsOf(`
  . .. %2e%2e %2E %00 % %zz %c3%28 %f0%9f%93%84 %2f %5c \\ ; :x {x} * __proto__ constructor %5f%5fproto%5f%5f é
  %20 + @ //evil.example
`)

/** Parts of a path or a query, as written in an address. */
export const nastyPathPart = fc.oneof(
  fc.constantFrom('', 'x'.repeat(3000), ...hostileParts),
  fc.string({ unit: 'grapheme', maxLength: 20 }).map(encodeURIComponent),
)

/** Values that HTTP allows in a header: bytes without line breaks and NUL. */
export const nastyHeaderValue = fc.oneof(
  fc.constantFrom(
    ...['', ' ', 'x'.repeat(5000), 'application/json; charset=utf-16', 'Bearer test_x', `test_${'k'.repeat(300)}`],
    ...wordsOf(`
      é \u00ff " "" = , ; ,,;;== null * */* text/html application/json; APPLICATION/JSON application/problem+json a/b
      test_ test_x sk_test_y live_x test_é http://localhost http://evil.example localhost evil.example 127.0.0.1:1
      [::1] -1 0 1 99999999999 1e3 chunked gzip cross-site same-origin 100-continue
    `),
    'Basic dTpw',
  ),
  fc.stringMatching(/^[\x20-\x7e]{0,40}$/),
)

/** Delays are short, because waiting finds no faults. */
export const preferences = fc.constantFrom(
  'code=201, example=__proto__',
  ...wordsOf(`
    code=200 code=404 code=500 code=503 code=999 code= code = example=used example=x delay=0 delay=1 delay=-1 delay=1e1
    delay=60001 delay=NaN example=__proto__ code=__proto__ code=constructor return=minimal wait=5 code=400;example="x"
  `),
)
