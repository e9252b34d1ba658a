import { type IsOver, type JudgeSettings, RunEvidence } from '../judging/judge-run.ts'
import { type Crash, transcriptOf } from '../wire/record.ts'
import type { Secrets } from '../wire/secrets.ts'
import type { Transport } from '../wire/transport.ts'

export interface LiveOptions {
  readonly transport: Transport
  readonly secrets: Secrets
  /** Errors of the suite; grows during the run. */
  readonly crashes: readonly Crash[]
  readonly settings: JudgeSettings
  readonly isOver: IsOver
}

/** The evidence of a run in progress. It is read from the transcript that the report would have, so that judging again finds the same. */
export class LiveEvidence {
  readonly #options: LiveOptions
  /** The latest evidence, with the number of entries in its transcript. */
  #latest: { readonly entries: number; readonly evidence: RunEvidence } | undefined

  constructor(options: LiveOptions) {
    this.#options = options
  }

  /** The evidence up to now. It is the same object until there is more. */
  get now(): RunEvidence {
    const { transport, secrets, crashes, settings, isOver } = this.#options
    const entries = transport.log.length + transport.withheld.length + crashes.length
    if (this.#latest?.entries !== entries) {
      const transcript = transcriptOf(transport, crashes, secrets.redactor)
      this.#latest = { entries, evidence: new RunEvidence(transcript, settings, isOver) }
    }
    return this.#latest.evidence
  }
}
