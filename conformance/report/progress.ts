import type { Verdict } from '../judging/verdict.ts'
import { truncate } from '../wire/inert.ts'
import type { CheckResult, RunResult } from './result.ts'
import { checkLine, paint, summary } from './terminal.ts'

/** The part of a stream that progress needs. */
interface Output {
  write(text: string): unknown
  /** Width of the terminal in characters. */
  readonly columns?: number
}

export interface ProgressOptions {
  /** Whether lines can be rewritten. */
  readonly tty: boolean
  readonly colour: boolean
}

/** Shows the progress of a run. */
export interface Progress {
  onResult(result: CheckResult): void
  end(result: RunResult, options?: Omit<NonNullable<Parameters<typeof summary>[1]>, 'colour'>): void
}

/** Moves to the beginning of the line and erases it. */
const rewind = '\r\x1b[2K'

/**
 * Creates a progress display on a stream: a line per check, or on a terminal one line that is rewritten, below the checks that
 * did not pass.
 */
export function progress(stream: Output, { tty, colour }: ProgressOptions): Progress {
  // The latest verdict of each check. A passed check may still fail, if another check finds its failure.
  const told = new Map<string, Verdict>()

  function status(id: string): string {
    const found = [...told.values()]
    const others = [...new Set(found)].filter((verdict) => verdict !== 'pass')
    const counts = others.map((verdict) => `, ${found.filter((one) => one === verdict).length} ${verdict}`).join('')
    const text = `${told.size} checked${counts} · ${id}`
    // A wrapped line cannot be rewritten. Some terminals report a width of 0.
    const short = truncate(text, (stream.columns || 80) - 1)
    return paint(found.includes('fail') ? 'fail' : 'not-run', colour, short)
  }

  return {
    onResult(result) {
      told.set(result.id, result.verdict)
      const line = tty && result.verdict === 'pass' ? '' : `${checkLine(result, colour)}\n`
      stream.write(tty ? `${rewind}${line}${status(result.id)}` : line)
    },
    end(result, options = {}) {
      stream.write(`${tty ? rewind : ''}${summary(result, { ...options, colour })}\n`)
    },
  }
}
