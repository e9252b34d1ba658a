import { constants, fstatSync, openSync, writeSync } from 'node:fs'
import type { LineOutput } from './request-lines.ts'

/** The time until a stalled reader is tried again, in milliseconds. */
const againMs = 50

/**
 * Writes to a terminal or a pipe without waiting for its reader: `process.stdout` would stop the whole process while a terminal is
 * stopped (Ctrl+S), and would keep a process from ending. What the reader has no room for is kept, and counted in `writableLength`.
 */
export class PatientOutput implements LineOutput {
  readonly #file: number
  #onClosed: ((error: NodeJS.ErrnoException) => void) | undefined
  #rest: Uint8Array = new Uint8Array()
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `file` is open for writing without waiting. `onClosed` is called if it has no reader any more. */
  constructor(file: number, onClosed: (error: NodeJS.ErrnoException) => void) {
    this.#file = file
    this.#onClosed = onClosed
  }

  get writableLength(): number {
    return this.#rest.byteLength
  }

  write(text: string): void {
    if (!this.#onClosed) return
    clearTimeout(this.#timer)
    this.#rest = Buffer.concat([this.#rest, Buffer.from(text)])
    try {
      while (this.#rest.byteLength > 0) this.#rest = this.#rest.subarray(writeSync(this.#file, this.#rest))
    } catch (error) {
      const failure = error as NodeJS.ErrnoException
      if (failure.code === 'EAGAIN') {
        // The process may end meanwhile.
        this.#timer = setTimeout(() => this.write(''), againMs).unref()
        return
      }
      this.#rest = new Uint8Array()
      this.#onClosed(failure)
      this.#onClosed = undefined
    }
  }
}

/** Returns an output to the reader of `process.stdout` that never waits for it, where the system has one. */
export function patientStdout(): LineOutput {
  const { stdout, platform } = process
  const kind = fstatSync(stdout.fd)
  // A file never stalls. On Windows, Node can write to a pipe only by waiting.
  const file = stdout.isTTY
    ? openTerminal(stdout.fd)
    : platform !== 'win32' && (kind.isFIFO() || kind.isSocket())
      ? stdout.fd
      : undefined
  return file === undefined ? stdout : new PatientOutput(file, (error) => stdout.emit('error', error))
}

/** Opens a terminal again: Node writes to it only by waiting, and other programs write to it too. Undefined if that is impossible. */
function openTerminal(fd: number): number | undefined {
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants
  try {
    return openSync(`/dev/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY)
  } catch (error) {
    if (cannotOpen.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

/** Windows has no such files, and the terminal may be that of another user. */
const cannotOpen = new Set(['ENOENT', 'EACCES', 'EPERM', 'ENXIO', 'ENODEV'])
