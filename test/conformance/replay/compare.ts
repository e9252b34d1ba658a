/** Tests that compare servers of the selftest. */
import { expect, test } from 'vitest'
import { compareSides, type SideRun, sideOfRun } from '../../../conformance/replay/compare.ts'
import type { Choice, Mutant } from '../../../conformance/selftest/mutant.ts'
import { runningReference } from '../../../conformance/selftest/reference.ts'
import { runOn } from '../../../conformance/selftest/run-on.ts'
import { choiceText, variant } from '../../../conformance/selftest/variants/index.ts'
import type { ServerFunction } from '../../../conformance/selftest/wrapper.ts'
import { nonEmpty } from '../../support/non-empty.ts'

/** Runs the suite on a server twice. */
async function runsOn(fetch: ServerFunction): Promise<readonly SideRun[]> {
  const options = { gaps: true, secondKey: 'test_selftest_2' }
  return [sideOfRun(await runOn(fetch, options)), sideOfRun(await runOn(fetch, options))]
}

/** Tests that two instances of one deployment do not differ. */
export function testInstances(choices: readonly Choice[]): void {
  const rows = choices.map((choice) => [choiceText(choice).slice(0, 40), choice] as const)
  test.each(nonEmpty(rows))('two instances of %s do not differ', async (_, choice) => {
    const [one, other] = [variant(choice)(runningReference), variant(choice)(runningReference)]
    const { rows, compared } = compareSides(await runsOn(one), await runsOn(other))
    expect(rows.map(({ name, text }) => `${name}: ${text}`)).toEqual([])
    expect(compared).toBeGreaterThan(100)
  })
}

let sound: ReturnType<typeof runsOn> | undefined

/** Returns what differs between the reference and a mutant. */
export async function rowsOf(mutant: Mutant) {
  sound ??= runsOn(runningReference())
  return compareSides(await sound, await runsOn(mutant.wrapper(runningReference()))).rows
}

/** Tests that the fault of a mutant is named beside the reference. */
export function testFaults(mutants: readonly Mutant[]): void {
  const found = mutants.filter(({ kills }) => kills.length > 0)
  test.each(nonEmpty(found.map((mutant) => [mutant.id, mutant] as const)))(
    'the fault %s is named',
    async (_, mutant) => {
      const rows = await rowsOf(mutant)
      const named = rows.filter(({ word, name }) => word === 'meaning' && mutant.kills.some((id) => name.endsWith(id)))
      expect(named.map(({ name }) => name)).not.toEqual([])
    },
  )
}
