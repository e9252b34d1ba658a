/** Counts how often `compare --explore 500` finds planted faults, how short it makes them, and differences between sound instances: `npx tsx scripts/explore-counts.ts [seeds]` */
import { type Exploration, explore } from '../conformance/explore/explore.ts'
import { reference, runningReference } from '../conformance/selftest/reference.ts'
import { singleChoices, variant } from '../conformance/selftest/variants/index.ts'
import { virtualTime } from '../conformance/selftest/virtual-time.ts'
import type { ServerFunction } from '../conformance/selftest/wrapper.ts'
import { drawSessions } from '../src/cli/draw-sessions.ts'
import { fourCallFaults, unseenFaults } from '../test/conformance/explore/four-calls.ts'
import { heldOutFaults, plantedFaults, realisticFaults } from '../test/conformance/explore/planted.ts'
import { valueFaults } from '../test/conformance/explore/value-faults.ts'

const seeds = Number(process.argv[2] ?? 10)
const most = 500
/** The number of calls that a difference should be shortened to. */
const short = 5

const drawn = new Map<number, ReturnType<typeof drawSessions>>()

/** Draws the sessions of a seed, once for all faults. */
function sessionsOf(seed: number) {
  const known = drawn.get(seed) ?? drawSessions(seed, most)
  drawn.set(seed, known)
  return known
}

function exploreBoth(one: ServerFunction, other: ServerFunction, seed: number): Promise<Exploration> {
  const side = (fetch: ServerFunction) => ({
    ...{ url: 'http://explore.test', apiKey: 'test_explore', time: virtualTime() },
    fetch,
  })
  return explore({ sides: [side(one), side(other)], sessions: sessionsOf(seed), most })
}

let differences = 0
for (let run = 0; run < 10 * seeds; run += 1) {
  const choice = singleChoices[(run * 7) % singleChoices.length] ?? {}
  const base = run % 2 === 0 ? reference : runningReference
  const { found, sent } = await exploreBoth(variant(choice)(base), variant(choice)(base), run + 1)
  if (sent > most) throw new Error(`Seed ${run + 1} sent ${sent} requests.`)
  if (!found) continue
  differences += 1
  process.stdout.write(`Seed ${run + 1}, ${JSON.stringify(choice)}: ${found.text}\n`)
}
process.stdout.write(`Sound instances: ${differences} of ${10 * seeds} runs with a difference\n`)

const kinds = {
  'Known faults': { ...plantedFaults, ...realisticFaults },
  'Earlier held-out faults': heldOutFaults,
  'Faults for development': fourCallFaults,
  'Unseen faults': unseenFaults,
  'Faults with certain values': valueFaults,
}
for (const [kind, faults] of Object.entries(kinds)) {
  const totals = { found: 0, short: 0, kinds: 0 }
  for (const [name, create] of Object.entries(faults)) {
    const found: string[] = []
    let shortened = 0
    for (let seed = 1; seed <= seeds; seed += 1) {
      const result = await exploreBoth(reference(), create(), seed)
      if (!result.found) continue
      const { length } = result.found.session
      if (length <= short) shortened += 1
      found.push(`${length}${result.isSpent ? '*' : ''}`)
    }
    totals.found += found.length
    totals.short += shortened
    if (shortened >= 0.9 * seeds) totals.kinds += 1
    const lengths = found.length > 0 ? `, in ${found.join(' ')} calls` : ''
    process.stdout.write(
      `${name}: found with ${found.length} of ${seeds} seeds, ${shortened} in at most ${short} calls${lengths}\n`,
    )
  }
  const all = seeds * Object.keys(faults).length
  process.stdout.write(
    `${kind}: ${totals.found} of ${all} found, ${totals.short} in at most ${short} calls; ${totals.kinds} of ${Object.keys(faults).length} with 9 of 10 seeds\n`,
  )
}
