import { type IsOver, type JudgeSettings, RunEvidence } from '../judging/judge-run.ts'
import { type Crash, transcriptOf } from '../wire/record.ts'
import type { Secrets } from '../wire/secrets.ts'
import type { Transport } from '../wire/transport.ts'

/** Returns the evidence of a run up to now. It is the same object until there is more. */
export type LiveEvidence = () => RunEvidence

/**
 * Reads the evidence of a run in progress from the transcript that the report would have, so that judging again finds the same.
 * `crashes` grows during the run.
 */
export function liveEvidence(
  transport: Transport,
  secrets: Secrets,
  crashes: readonly Crash[],
  settings: JudgeSettings,
  isOver: IsOver,
): LiveEvidence {
  let latest: { readonly entries: number; readonly evidence: RunEvidence } | undefined
  return () => {
    const entries = transport.log.length + transport.withheld.length + crashes.length
    if (latest?.entries !== entries) {
      const transcript = transcriptOf(transport, crashes, secrets.redactor)
      latest = { entries, evidence: new RunEvidence(transcript, settings, isOver) }
    }
    return latest.evidence
  }
}
