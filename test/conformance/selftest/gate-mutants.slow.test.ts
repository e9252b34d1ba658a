import { describe, expect, test } from 'vitest'
import { checks } from '../../../conformance/judging/checks.ts'
import type { CheckResult } from '../../../conformance/report/result.ts'
import { groundsOf, judgeMutant, redOf } from '../../../conformance/selftest/gate.ts'
import recordedGrounds from '../../../conformance/selftest/grounds.gen.json' with { type: 'json' }
import recorded from '../../../conformance/selftest/kills.gen.json' with { type: 'json' }
import { mutants } from '../../../conformance/selftest/mutants/index.ts'
import { reference } from '../../../conformance/selftest/reference.ts'
import { documented, documentedAmong, documentedOn, runOn } from '../../../conformance/selftest/run-on.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { rotated } from '../../support/sample.ts'
import { transcript } from './transcript.ts'

const kills: Readonly<Record<string, readonly string[]>> = recorded
const grounds: Readonly<Record<string, Readonly<Record<string, string>>>> = recordedGrounds
const sound = await documentedOn(reference())

test('every documented check runs on the reference, and passes', () => {
  const undecided = sound.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'accepted')
  expect(undecided).toEqual([])
  expect(sound.map(({ id }) => id).sort()).toEqual([...documented].sort())
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length)
})

/** Checks that compare answers with each other or with a rule, and so nothing with what was sent. */
const compareNothingSent: readonly string[] = [
  'analytics.completion-times',
  'analytics.success-rates',
  'completed-file.key-begins-with-tenants',
  'details.execution-metrics',
  'execute-workflow.identifies-created-workflow',
  'execute-workflow.starts-execution',
  'execution.for-one-document',
  'flow.document-id-refers-to-upload',
  'storage.not-a-service-path',
  'upload.session-id-is-uuid',
  'upload.session-ids-differ',
  'workflow.ids-differ',
]

/** Returns the particulars that failures lack: each has a call with its exchange, and one about a place in an answer has the compared values. */
function lackingParticulars(results: readonly CheckResult[]): string[] {
  return results
    .filter(({ verdict }) => verdict === 'fail')
    .flatMap(({ id, ground, exchange = -1, exchanges, ...found }) => {
      const values = compareNothingSent.includes(id) ? (['shown'] as const) : (['sent', 'shown'] as const)
      const wanted = ['call', ...(ground?.finding ? values : [])] as const
      const lacking = wanted.filter((name) => !found[name]).map((name) => `${id}: ${name}`)
      return exchanges.includes(exchange) ? lacking : [...lacking, `${id}: exchange`]
    })
}

/** Mutants that turn no check red. */
const killNothing = rotated(mutants.filter(({ kills }) => kills.length === 0))
/** A quarter of the mutants, which changes with each commit and has one for each check. The deep run has all of them. */
const due = new Set(documented.flatMap((id) => rotated(mutants.filter(({ kills }) => kills.includes(id)))))

// The suite is named after the checks that the mutant turns red, so that -t with the id of a check finds its mutants.
describe.each(
  nonEmpty([...due, ...killNothing].map((mutant) => [mutant.kills.join(', ') || 'no check', mutant] as const)),
)('%s', (_, mutant) => {
  test(`red on ${mutant.id}`, async () => {
    const run = await runOn(mutant.wrapper(reference()))
    const { checks: results } = run
    const { survives, accused, disturbed } = judgeMutant(mutant, documentedAmong(results), sound)
    expect({ survives, accused, disturbed }, mutant.breaks).toEqual({ survives: [], accused: [], disturbed: [] })
    expect(redOf(results), "kills.gen.json is stale. Run 'npm run mutants'.").toEqual(kills[mutant.id])
    expect(lackingParticulars(documentedAmong(results)), 'Pass what is compared to fail().').toEqual([])
    expect(groundsOf(results), "grounds.gen.json is stale. Run 'npm run mutants'.").toEqual(grounds[mutant.id])
  })
})

// Another mutant that changed no answer would turn no check red, which is noticed above.
const soundTranscript = transcript(reference())

test.each(nonEmpty(killNothing.map((mutant) => [mutant.id, mutant] as const)))(
  '%s changes an answer',
  async (_, mutant) => {
    expect(await transcript(mutant.wrapper(reference()))).not.toBe(await soundTranscript)
  },
)
