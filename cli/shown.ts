import { type Progress, progress } from '../conformance/report/progress.ts'

/** Returns true if a stream can rewrite lines (`tty`) and show colours. */
export function terminalOf({ isTTY = false }: { readonly isTTY?: boolean }): { tty: boolean; colour: boolean } {
  const tty = isTTY && process.env.TERM !== 'dumb'
  return { tty, colour: tty && !process.env.NO_COLOR }
}

/** Shows the progress of a run on a stream. */
export function shownOn(stream: NodeJS.WriteStream): Progress {
  return progress(stream, terminalOf(stream))
}
