import type { CheckResult, RunResult } from '../result.ts'
import type { Verdict } from '../verdict.ts'
import { cut } from './inert.ts'
import { checkLine, painted, summary } from './terminal.ts'

/** As much of a stream as progress needs. */
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

/** Shows a run while it goes on. */
export interface Progress {
  onResult(result: CheckResult): void
  end(result: RunResult, options?: Omit<NonNullable<Parameters<typeof summary>[1]>, 'colour'>): void
}

/** To the line's beginning, and erase it. */
const rewind = '\r\x1b[2K'

/**
 * Progress on a stream: every check as a line, or on a terminal one line that is rewritten, above which stands what
 * did not pass.
 */
export function progress(stream: Output, { tty, colour }: ProgressOptions): Progress {
  const counts = new Map<Verdict, number>()
  let done = 0

  function status(id: string): string {
    const others = [...counts].filter(([verdict]) => verdict !== 'pass')
    const found = others.map(([verdict, number]) => `, ${number} ${verdict}`).join('')
    const text = `${done} checked${found} · ${id}`
    // A line that wraps could not be rewritten. Some terminals give their width as 0.
    const short = cut(text, (stream.columns || 80) - 1)
    return painted(counts.has('fail') ? 'fail' : 'not-run', colour, short)
  }

  return {
    onResult(result) {
      done += 1
      counts.set(result.verdict, (counts.get(result.verdict) ?? 0) + 1)
      const line = tty && result.verdict === 'pass' ? '' : `${checkLine(result, colour)}\n`
      stream.write(tty ? `${rewind}${line}${status(result.id)}` : line)
    },
    end(result, options = {}) {
      stream.write(`${tty ? rewind : ''}${summary(result, { ...options, colour })}\n`)
    },
  }
}
