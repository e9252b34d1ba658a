import { type Progress, progress } from '../conformance/report/progress.ts'
import { showHidden, truncate } from '../conformance/wire/inert.ts'

/** Returns true if a stream can rewrite lines (`tty`) and show colours. */
export function terminalOf({ isTTY = false }: { readonly isTTY?: boolean }): { tty: boolean; colour: boolean } {
  const tty = isTTY && process.env.TERM !== 'dumb'
  return { tty, colour: tty && !process.env.NO_COLOR }
}

/** Shows the progress of a run on a stream. */
export function shownOn(stream: NodeJS.WriteStream): Progress {
  return progress(stream, terminalOf(stream))
}

/** Returns a value as JSON on one line, cut after some characters. */
export function jsonShown(value: unknown, most: number): string {
  return value === undefined ? 'nothing' : truncate(showHidden(JSON.stringify(value)), most)
}
