import { expect, test } from 'vitest'
import { attacksOn, type Found, findExpressions, madeAtRunTime, patterns } from './support/expressions.ts'
import { nonEmpty } from './support/non-empty.ts'

/**
 * The limit for the work of an expression on 10 kB of any text, as a multiple of the work of the yardstick in the same run. A
 * sound expression takes up to 8 times as much, and twice that beside other work; a quadratic one takes thousands of times as much.
 */
const limit = 40
/** The number of slowest texts that are tried at full length. */
const most = 12

/** Matches each character of a text. */
const yardstick = /./gs
const full = 'a'.repeat(10_000)
const unit = leastWork(yardstick, full)

const all = [...findExpressions(), ...patterns()]

/** Measures the least processor time of a few tries in microseconds. Other processes hardly change it. */
function leastWork(expression: RegExp, text: string, enough = 0): number {
  let best = Number.POSITIVE_INFINITY
  // Work far above `enough` is no coincidence, and more tries would take seconds.
  const isFarAbove = (turn: number) =>
    enough > 0 && best < Number.POSITIVE_INFINITY && best > (40 / (turn + 1)) * enough
  for (let turn = 0; turn < 7 && best > enough && !isFarAbove(turn); turn += 1) {
    const before = process.cpuUsage()
    // Any use of an expression finds the first match or all matches, as this does.
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
  /** Index among the attacks, which are the same at every length. */
  readonly index: number
}

/** Returns the work of each attack, the most first. Stops at the first one that takes more than `enough`. */
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
 * Returns the work of the worst text as a multiple of the work of the yardstick. Short texts come first, because a long one may
 * never end and shows no more.
 */
function slowness(found: Found): { times: number; text: string } {
  const enough = limit * unit
  const rated = ({ work, text }: Tried) => ({ times: work / unit, text })
  let tried: Tried[] = []
  for (const length of [12, 24, 3000]) {
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

// They are made of paths of the contract, names of collections, patterns of profiles, and addresses.
test('only these files make expressions at run time', () => {
  expect(madeAtRunTime().sort()).toEqual([
    'cli/docs.ts',
    'conformance/reading/locate.ts',
    'conformance/run/safety.ts',
    'conformance/selftest/wrapper.ts',
    'mocks/handlers.ts',
    'src/contract/call-at.ts',
    'src/profile/facts.ts',
    'src/profile/profile.ts',
    'src/profile/template.ts',
    'src/wire/router.ts',
  ])
})

test('a class that excludes all of ASCII is attacked with other texts', () => {
  expect(attacksOn(/[^ -~]/, 10).length).toBeGreaterThan(100)
})

test.each([/^(a+)+$/, /\s+$/, /(x+x+)+y/, /[^/]+(?=\/end$)/])('%s would be found', (expression) => {
  expect(slowness({ where: '', expression }).times).toBeGreaterThan(limit)
})

const titled = all.map((found) => [found.where.slice(-52), found] as const)

test.each(nonEmpty(titled))('the work of %s is linear', (_, found) => {
  const { times, text } = slowness(found)
  expect(times, `${found.expression} on ${JSON.stringify(text)}`).toBeLessThan(limit)
})
