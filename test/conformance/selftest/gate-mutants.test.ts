import { describe, expect, test } from 'vitest'
import { checks } from '../../../conformance/judging/checks.ts'
import { groundsOf, judgeMutant, redOf } from '../../../conformance/selftest/gate.ts'
import recordedGrounds from '../../../conformance/selftest/grounds.gen.json' with { type: 'json' }
import recorded from '../../../conformance/selftest/kills.gen.json' with { type: 'json' }
import { mutants } from '../../../conformance/selftest/mutants/index.ts'
import { reference } from '../../../conformance/selftest/reference.ts'
import {
  documented,
  documentedAmong,
  documentedOn,
  judgeAgain,
  judgementOf,
  runOn,
} from '../../../conformance/selftest/run-on.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { sampledOfEach } from '../../support/sample.ts'

const kills: Readonly<Record<string, readonly string[]>> = recorded
const grounds: Readonly<Record<string, Readonly<Record<string, string>>>> = recordedGrounds
const sound = await documentedOn(reference())

test('every documented check runs on the reference, and passes', () => {
  const undecided = sound.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'accepted')
  expect(undecided).toEqual([])
  expect(sound.map(({ id }) => id).sort()).toEqual([...documented].sort())
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length)
})

test('every documented check is the killer of a mutant', () => {
  const killed = new Set(mutants.flatMap(({ kills }) => kills))
  expect(documented.filter((id) => !killed.has(id))).toEqual([])
})

const killers = documented.map((id) => mutants.filter(({ kills }) => kills.some((killed) => killed === id)))
const harmless = mutants.filter(({ kills }) => kills.length === 0)

// A sample has a mutant for each documented check.
const due = sampledOfEach([...killers, harmless])

// The suite is named after the checks that the mutant turns red, so that -t with the id of a check finds its mutants.
describe.each(nonEmpty(due.map((mutant) => [mutant.kills.join(', ') || 'no check', mutant] as const)))(
  '%s',
  (_, mutant) => {
    test(`red on ${mutant.id}`, async () => {
      const run = await runOn(mutant.create()(reference()))
      const { checks: results } = run
      expect(judgementOf(judgeAgain(run))).toEqual(judgementOf(run))
      const { survives, accused, disturbed } = judgeMutant(mutant, documentedAmong(results), sound)
      expect({ survives, accused, disturbed }, mutant.breaks).toEqual({ survives: [], accused: [], disturbed: [] })
      expect(redOf(results), "kills.gen.json is stale. Run 'npm run mutants'.").toEqual(kills[mutant.id])
      expect(groundsOf(results), "grounds.gen.json is stale. Run 'npm run mutants'.").toEqual(grounds[mutant.id])
    })
  },
)
