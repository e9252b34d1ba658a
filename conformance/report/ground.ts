import type { ReportedGround } from '../judging/judge-run.ts'
import type { Finding } from '../reading/finding.ts'

/** Describes the ground of a verdict in one sentence. */
export function groundSentence({ name, finding }: ReportedGround): string {
  if (finding) return `Reason: a ${name} place, ${findingSentence(finding)}.`
  return name === 'absent'
    ? 'Reason: nothing in the whole answer could be the value.'
    : 'Reason: whether the call was accepted, and with which status.'
}

/** Describes a finding with its place and rule, without a full stop. */
function findingSentence({ what, answer, place, rule, rejected }: Finding): string {
  const others = rejected.length > 0 ? `; not taken: ${rejected.join('; ')}` : ''
  return `${what} at ${answer === undefined ? '' : `${answer} `}${place} (${rule}${others})`
}
