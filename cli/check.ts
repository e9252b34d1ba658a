/** Says whether a deployment still answers as its profile does. */
import { showHidden } from '../conformance/wire/inert.ts'
import type { Checked, Drift } from '../src/learn/check.ts'
import { exit, UsageError } from './exit.ts'
import { profileFile, readAs } from './input.ts'
import { type RunFlags, runPlan } from './plan.ts'
import { jsonShown } from './shown.ts'
import { inThread, type StartThread } from './thread.ts'

/** Checks a deployment against its profile, prints what changed, and returns the exit code. */
export async function checkLearned(file: string, flags: RunFlags, start: StartThread): Promise<number> {
  const profile = await readAs(file, profileFile('--check'))
  const plan = await runPlan({ ...flags, profile: file })
  if (plan.isReference) throw new UsageError('A check needs the deployment. Name it with --url.')
  const checked = await inThread({ kind: 'check', given: { plan, profile } } as const, { start })
  const { drifts, places, requests, missed } = checked
  for (const drift of drifts) process.stdout.write(`${driftText(drift)}\n`)
  for (const reason of new Set(missed)) process.stdout.write(`missed   ${showHidden(reason)}.\n`)
  const verdict = drifts.length > 0 ? 'different' : isUndecided(checked) ? 'undecided' : 'same'
  process.stdout.write(
    `${plan.url}: ${verdict}. ${drifts.length} of ${places} places no longer answer as in ${file} (${requests} requests).\n`,
  )
  return { different: exit.nonconforming, undecided: exit.undecided, same: exit.ok }[verdict]
}

/** Without answers, nothing can be said. */
const isUndecided = ({ places, missed }: Checked) => places === 0 || missed.length > 0

function driftText({ place, shows, difference: { call, one, other }, count }: Drift): string {
  const meaning = shows === undefined ? '' : `, which showed ${shows}`
  const more = count > 1 ? `, and so in ${count} answers` : ''
  return `changed  ${showHidden(place)}${meaning}: ${jsonShown(one, 80)} now, ${jsonShown(other, 80)} as learned (${call}${more}).`
}
