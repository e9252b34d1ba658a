import { expect, test } from 'vitest'
import { attacksOn, type Found, madeAtRunTime, patterns, written } from './support/expressions.ts'
import { nonEmpty } from './support/non-empty.ts'
import { sampled } from './support/sample.ts'

/**
 * How many times the work of the yardstick an expression may take for 100 kB of anything, in the same run. An expression whose
 * work grows with the square of the length takes thousands of times as much.
 */
const limit = 8
/** How many of the slowest texts are tried at full length. */
const most = 12

/** Finds each character of a text, one by one. */
const yardstick = /./gs
const full = 'a'.repeat(100_000)

const all = [...written(), ...patterns()]

/** Microseconds of the processor, which other processes do not change much; the best of a few tries. */
function leastWork(expression: RegExp, text: string, enough = 0): number {
  let best = Number.POSITIVE_INFINITY
  // Work far above `enough` is not due to chance, and trying it again takes seconds.
  for (let turn = 0; turn < 7 && best > enough && (turn === 0 || best < 4 * enough || enough === 0); turn += 1) {
    const before = process.cpuUsage()
    // This does all that any use of an expression does: find the first match and every other.
    text.replace(expression, '')
    expression.lastIndex = 0
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, user + system)
  }
  return best
}

interface Tried {
  readonly work: number
  readonly text: string
  /** Its place among the attacks, which are the same at every length. */
  readonly index: number
}

/** The work of each attack, the most first; stops at one that takes more than `enough`. */
function tryAll({ expression }: Found, length: number, enough: number, which?: readonly number[]): Tried[] {
  const tried: Tried[] = []
  for (const [index, text] of attacksOn(expression, length).entries()) {
    if (which && !which.includes(index)) continue
    const work = leastWork(expression, text, enough)
    tried.push({ work, text: `${text.slice(0, 40)}… of ${text.length}`, index })
    if (work > enough) break
  }
  return tried.sort((a, b) => b.work - a.work)
}

/**
 * How many times the work of the yardstick the most hostile text takes. Short texts come first, because a long one might take
 * for ever and shows no more.
 */
function slowness(found: Found): { times: number; text: string } {
  const unit = leastWork(yardstick, full)
  const enough = limit * unit
  const rated = ({ work, text }: Tried) => ({ times: work / unit, text })
  let tried: Tried[] = []
  for (const length of [12, 2000, 10_000]) {
    tried = tryAll(found, length, enough)
    const [worst] = tried
    if (worst && worst.work > enough) return rated(worst)
  }
  const indexes = tried.slice(0, most).map(({ index }) => index)
  const [worst] = tryAll(found, full.length, enough, indexes)
  if (!worst) throw new Error(`No text attacks ${found.expression}. Correct attacksOn.`)
  return rated(worst)
}

test('there are expressions in the sources, the validators and the contracts', () => {
  expect(all.length).toBeGreaterThan(100)
  for (const place of ['src/http/', 'validators.gen.js', 'conformance/', 'openapi.yaml', 'admin.yaml', 'schema.json']) {
    expect(
      all.some(({ where }) => where.includes(place)),
      place,
    ).toBe(true)
  }
})

// They come from paths of the contract, the name of a collection, the pattern of a profile, and an address.
test('only these files make expressions at run time', () => {
  expect(madeAtRunTime().sort()).toEqual([
    'conformance/reading/locate.ts',
    'conformance/reading/profile.ts',
    'conformance/run/safety.ts',
    'conformance/selftest/wrapper.ts',
    'mocks/handlers.ts',
    'src/http/wire/router.ts',
  ])
})

test.each([/^(a+)+$/, /\s+$/, /(x+x+)+y/, /[^/]+(?=\/end$)/])('%s would be found', (expression) => {
  expect(slowness({ where: '', expression }).times).toBeGreaterThan(limit)
})

const titled = all.map((found) => [found.where.slice(-52), found] as const)

test.each(nonEmpty(sampled(titled)))('the work of %s is linear', (_, found) => {
  const { times, text } = slowness(found)
  expect(times, `${found.expression} on ${JSON.stringify(text)}`).toBeLessThan(limit)
})
