import { truncate } from '../wire/inert.ts'
import type { RunResult } from './result.ts'
import { count } from './tally.ts'
import { checkLine, paint, type SummaryOptions, summary } from './terminal.ts'

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

/** Shows the progress of a run, and its end. */
export interface Progress {
  /** Shows the current step and the number of requests. */
  onProgress(progress: { readonly step?: string; readonly sent: number }): void
  /** Erases what is shown, so that something else can be printed. */
  clear(): void
  end(result: RunResult, options?: Omit<SummaryOptions, 'colour'>): void
}

/** Moves to the beginning of the line and erases it. */
const rewind = '\r\x1b[2K'
/** The interval of progress lines if lines cannot be rewritten, in milliseconds. */
const lineEveryMs = 10_000

/**
 * Creates a progress display on a stream: on a terminal one line that is rewritten, otherwise a line every ten seconds. The end has
 * a line for each passed check, but not on a terminal, and the summary.
 */
export function progress(stream: Output, { tty, colour, now = () => performance.now() }: ProgressOptions): Progress {
  const begun = now()
  let saidAt = begun
  const elapsed = () => `${Math.floor((now() - begun) / 1000)} s`
  // A wrapped line cannot be rewritten. Some terminals report a width of 0.
  const short = (text: string) => paint('not-run', colour, truncate(text, (stream.columns || 80) - 1))
  return {
    onProgress({ step = 'reach the deployment', sent }) {
      if (tty) stream.write(`${rewind}${short(`${elapsed()} · ${count(sent, 'request')} · ${step}`)}`)
      else if (now() - saidAt >= lineEveryMs) {
        saidAt = now()
        stream.write(`After ${elapsed()}: ${count(sent, 'request')} sent, now at the step '${step}'.\n`)
      }
    },
    clear() {
      if (tty) stream.write(rewind)
    },
    end(result, options = {}) {
      const passed = tty ? [] : result.checks.filter(({ verdict }) => verdict === 'pass')
      const lines = [...passed.map((check) => checkLine(check, colour)), summary(result, { ...options, colour })]
      stream.write(`${tty ? rewind : ''}${lines.join('\n')}\n`)
    },
  }
}
