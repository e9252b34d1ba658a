import fc from 'fast-check'

/**
 * Any character of Unicode including control characters, but no lone surrogates. The unit `binary` of fast-check is the same, but
 * first makes a table of all of them, which takes a second in each worker.
 */
export const character = fc
  .integer({ min: 0, max: 0x10ffff })
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point))
