import type { Verdict } from '../judging/verdict.ts'
import { truncate } from '../wire/inert.ts'
import { sharedReason } from './alike.ts'
import type { CheckResult, RunResult } from './result.ts'
import { count } from './tally.ts'
import { checkLine, paint, summary, wordOf } from './terminal.ts'

/** The part of a stream that progress needs. */
interface Output {
  write(text: string): unknown
  /** Width of the terminal in characters. */
  readonly columns?: number
}

export interface ProgressOptions {
  /** True if lines can be rewritten. */
  readonly tty: boolean
  readonly colour: boolean
  /** The time that passes, in milliseconds. @default the real time */
  readonly now?: () => number
}

/** Shows the progress of a run. */
export interface Progress {
  /** Shows the progress of the run: the current step and the number of requests. */
  onProgress(progress: { readonly step?: string; readonly sent: number }): void
  onResult(result: CheckResult): void
  end(result: RunResult, options?: Omit<NonNullable<Parameters<typeof summary>[1]>, 'colour'>): void
}

/** Moves to the beginning of the line and erases it. */
const rewind = '\r\x1b[2K'
/** The interval of progress lines if lines cannot be rewritten, in milliseconds. */
const lineEveryMs = 10_000

/**
 * Creates a progress display on a stream: a line per check, or on a terminal one line that is rewritten, below the checks that
 * did not pass. The end has one line for all checks that share a reason, such as another check that blocks them.
 */
export function progress(stream: Output, { tty, colour, now = () => performance.now() }: ProgressOptions): Progress {
  // The latest verdict of each check. A passed check may still fail, if another check finds its failure.
  const told = new Map<string, string>()
  const begun = now()
  let saidAt = begun
  const elapsed = () => `${Math.floor((now() - begun) / 1000)} s`

  // A wrapped line cannot be rewritten. Some terminals report a width of 0.
  const short = (text: string, verdict: Verdict) => paint(verdict, colour, truncate(text, (stream.columns || 80) - 1))

  function status(id: string): string {
    const found = [...told.values()]
    const others = [...new Set(found)].filter((word) => word !== 'pass')
    const counts = others.map((word) => `, ${found.filter((one) => one === word).length} ${word}`).join('')
    return short(`${told.size} checked${counts} · ${id}`, found.includes('fail') ? 'fail' : 'not-run')
  }

  return {
    onProgress({ step = 'reach the deployment', sent }) {
      if (tty) stream.write(`${rewind}${short(`${elapsed()} · ${count(sent, 'request')} · ${step}`, 'not-run')}`)
      else if (now() - saidAt >= lineEveryMs) {
        saidAt = now()
        stream.write(`After ${elapsed()}: ${count(sent, 'request')} sent, now at the step '${step}'.\n`)
      }
    },
    onResult(result) {
      told.set(result.id, wordOf(result))
      const isShort = sharedReason(result) !== undefined || (tty && result.verdict === 'pass')
      const line = isShort ? '' : `${checkLine(result, colour)}\n`
      stream.write(tty ? `${rewind}${line}${status(result.id)}` : line)
    },
    end(result, options = {}) {
      stream.write(`${tty ? rewind : ''}${summary(result, { ...options, colour })}\n`)
    },
  }
}
