/** Prints how the suite stands against every mutant, variant and degenerate server: `npx tsx conformance/selftest/gate.draft.ts`. */
import { requirement, requirementIds } from '../catalogue.ts'
import { run } from '../runner.ts'
import { degenerates } from './degenerate.ts'
import { isExact, type Judged, judgeMutant, judgeVariant, neverRed } from './gate.ts'
import { mutants } from './mutants/index.ts'
import { reference } from './reference.ts'
import { choiceText, singleChoices, variant } from './variants/index.ts'
import { virtualTime } from './virtual-time.ts'
import type { Fetch } from './wrapper.ts'

const observable = requirementIds.filter((id) => {
  const { provenance, unobservable } = requirement(id)
  return provenance === 'documented' && unobservable === undefined
})

/** Some servers never answer; a gate has less patience than a real run. */
const timeoutMs = 300

const print = (line: string) => process.stdout.write(`${line}\n`)
const runOn = (fetch: Fetch) =>
  run({
    url: 'http://selftest.test',
    apiKey: 'test_selftest',
    fetch,
    timeoutMs,
    tries: 1,
    gaps: false,
    time: virtualTime(),
  })

/** The documented checks of a run; none where the run itself broke, which is a finding too. */
async function documentedOn(fetch: Fetch): Promise<readonly Judged[]> {
  try {
    return (await runOn(fetch)).checks.filter(({ provenance }) => provenance === 'documented')
  } catch (error) {
    print(`  The run broke: ${error instanceof Error ? error.message : error}`)
    return []
  }
}

const shown = (ids: readonly string[]) =>
  ids.length > 6 ? `${ids.slice(0, 6).join(', ')} and ${ids.length - 6} more` : ids.join(', ')
const list = (title: string, ids: readonly string[]) => (ids.length ? `\n    ${title}: ${shown(ids)}` : '')

const sound = await documentedOn(reference())
print(`Reference: ${sound.filter(({ verdict }) => verdict === 'pass').length} of ${sound.length} checks pass.`)

const judged = []
for (const mutant of mutants) {
  const results = await documentedOn(mutant.create()(reference()))
  judged.push({ mutant, judgement: judgeMutant(mutant, results, sound) })
}
const inexact = judged.filter(({ judgement }) => !isExact(judgement))
print(`\nMutants: ${judged.length - inexact.length} of ${judged.length} are as they should be. The others:`)
for (const { mutant, judgement } of inexact) {
  const { survives, accused, disturbed } = judgement
  print(`  ${mutant.id}${list('survives', survives)}${list('accused', accused)}${list('disturbed', disturbed)}`)
}
print(`\nNever red: ${neverRed(observable, judged).join(', ') || 'none'}.`)

print('\nVariants that are accused, or where under 95 % of the checks decide:')
for (const choice of singleChoices) {
  const { alarms, undecided, deciding } = judgeVariant(choice, await documentedOn(variant(choice)(reference())))
  if (alarms.length === 0 && deciding >= 0.95) continue
  print(
    `  ${choiceText(choice)} (${Math.round(deciding * 100)} %)${list('alarms', alarms)}${list('undecided', undecided)}`,
  )
}

print('\nDegenerate servers:')
for (const { id, create } of degenerates) {
  const begun = performance.now()
  const verdict = await runOn(create()).then(
    (result) => result.verdict,
    (error: Error) => `no run: ${error.message}`,
  )
  print(`  ${id}: ${verdict} after ${Math.round(performance.now() - begun)} ms`)
}
