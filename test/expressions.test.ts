import { expect, test } from 'vitest'
import { attacksOn, type Found, madeAtRunTime, patterns, written } from './support/expressions.ts'

/** Milliseconds for 100 kB. */
const limit = 20
/** How many of the slowest texts are tried at full length. */
const most = 12

const all = [...written(), ...patterns()]

/** Milliseconds, the best of a few tries: another process may take the processor at any time. */
function fastest(expression: RegExp, text: string, enough: number): number {
  let best = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < 7 && best > enough; turn += 1) {
    const begun = performance.now()
    // Everything that any use of an expression does: looking for it, and for all of it.
    text.replace(expression, '')
    expression.lastIndex = 0
    best = Math.min(best, performance.now() - begun)
  }
  return best
}

interface Tried {
  readonly ms: number
  readonly text: string
  /** Its place among the attacks, which are the same at every length. */
  readonly index: number
}

/** How long each attack takes, the slowest first; none is tried behind one that takes too long. */
function triedOn({ expression }: Found, length: number, which?: readonly number[]): Tried[] {
  const tried: Tried[] = []
  for (const [index, text] of attacksOn(expression, length).entries()) {
    if (which && !which.includes(index)) continue
    const ms = fastest(expression, text, limit)
    tried.push({ ms, text: `${text.slice(0, 40)}… of ${text.length}`, index })
    if (ms > limit) break
  }
  return tried.sort((a, b) => b.ms - a.ms)
}

/** The most hostile text for an expression. Short ones come first, for a long one might take for ever and shows no more. */
function slowest(found: Found): Tried | undefined {
  let all: Tried[] = []
  for (const length of [12, 2000, 10_000]) {
    all = triedOn(found, length)
    if (all[0] && all[0].ms > limit) return all[0]
  }
  const worst = all.slice(0, most).map(({ index }) => index)
  return triedOn(found, 100_000, worst)[0]
}

test('there are expressions to look at, in the sources, the validators and the contracts', () => {
  expect(all.length).toBeGreaterThan(100)
  for (const place of ['src/http/', 'validators.gen.js', 'conformance/', 'openapi.yaml', 'admin.yaml', 'schema.json']) {
    expect(
      all.some(({ where }) => where.includes(place)),
      place,
    ).toBe(true)
  }
})

test('only these are made at run time: from paths of the contract, the name of a collection, the pattern of a profile, and an address', () => {
  expect(madeAtRunTime().sort()).toEqual([
    'conformance/reading/locate.ts',
    'conformance/reading/profile.ts',
    'conformance/run/safety.ts',
    'conformance/selftest/wrapper.ts',
    'mocks/handlers.ts',
    'src/http/router.ts',
  ])
})

test.each([/^(a+)+$/, /\s+$/, /(x+x+)+y/, /[^/]+(?=\/end$)/])('%s would be found', (expression) => {
  expect(slowest({ where: '', expression })?.ms).toBeGreaterThan(limit)
})

test.each(all)('$where takes under 20 ms for 100 kB of anything: $expression', (found) => {
  const { ms, text } = slowest(found) ?? { ms: Number.NaN, text: '' }
  expect(ms, JSON.stringify(text)).toBeLessThan(limit)
})
