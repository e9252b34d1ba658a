import { styleText } from 'node:util'
import { tenantName } from '../src/contract/tenant-name.ts'
import type { LoggedRequest } from '../src/wire/exchanges.ts'

/** The formats of the request log. */
export const logFormats = ['text', 'json'] as const
type LogFormat = (typeof logFormats)[number]

/** Writes a request as a line for people: time, tenant in short, method, path, status, duration, and the reason of a refusal. */
export function lineOf(request: LoggedRequest, isColoured: boolean): string {
  const { at, tenantId, method, path, status, durationMs, refusal } = request
  const colour = isColoured ? colourOf(status) : undefined
  const paint = (text: string) => (colour ? styleText(colour, text, { validateStream: false }) : text)
  const time = new Date(at).toTimeString().slice(0, 8)
  const tenant = tenantId === undefined ? '      ' : tenantName(tenantId)
  const result = status === 0 ? 'cut' : String(status)
  const line = `${time} ${tenant} ${method.padEnd(4)} ${shorten(path, 200)} ${paint(result)} ${durationMs.toFixed(0)} ms`
  return refusal ? `${line}  ${paint(refusal.code)}: ${shorten(refusal.detail, 300)}` : line
}

/** Writes a request as a JSON object in one line, with the names of the admin API. */
export function jsonLineOf(request: LoggedRequest): string {
  const { id, at, tenantId, operationId, method, path, status, durationMs, refusal } = request
  return JSON.stringify({
    request_id: String(id),
    at: new Date(at).toISOString(),
    tenant_id: tenantId ?? null,
    operation_id: operationId ?? null,
    method,
    path,
    status,
    duration_ms: Math.round(durationMs * 1000) / 1000,
    code: refusal?.code ?? null,
    detail: refusal?.detail ?? null,
  })
}

function colourOf(status: number): 'red' | 'yellow' | 'green' | 'magenta' {
  if (status === 0) return 'magenta'
  if (status >= 500) return 'red'
  return status >= 400 ? 'yellow' : 'green'
}

/** Cuts a text, and replaces what a terminal could execute or would not show. */
function shorten(text: string, most: number): string {
  const clean = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd')
  return clean.length > most ? `${clean.slice(0, most)}…` : clean
}

/** The output of the lines, such as `process.stdout`. */
export interface LineOutput {
  write(text: string): unknown
  /** The number of bytes that wait for the reader. */
  readonly writableLength: number
}

/** The time between two writes, in milliseconds. */
const pauseMs = 50
/** The most lines that wait for the next write. */
const mostLines = 5000
/** The most bytes that wait for the reader. More are left out: a reader that has stopped must not fill the memory. */
const mostWaiting = 1024 * 1024

/** Writes lines in batches, so that no request waits for the terminal. Leaves lines out if the reader is too slow. */
export class LineWriter {
  readonly #output: LineOutput
  readonly #leftOutLine: (count: number) => string
  #lines: string[] = []
  #leftOut = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `leftOutLine` returns the line that stands for those left out. */
  constructor(output: LineOutput, leftOutLine: (count: number) => string) {
    this.#output = output
    this.#leftOutLine = leftOutLine
  }

  add(line: string): void {
    if (this.#lines.length >= mostLines) this.#leftOut += 1
    else this.#lines.push(line)
    this.#timer ??= setTimeout(() => this.flush(), pauseMs)
  }

  /** Writes what waits. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#output.writableLength > mostWaiting) {
      this.#leftOut += this.#lines.length
      this.#lines = []
      return
    }
    if (this.#leftOut > 0) this.#lines.push(this.#leftOutLine(this.#leftOut))
    this.#leftOut = 0
    const text = this.#lines.map((line) => `${line}\n`).join('')
    this.#lines = []
    if (text !== '') this.#output.write(text)
  }
}

/** Returns two functions: one logs a request on `output`, the other writes the lines that are still queued. */
export function requestLogger(format: LogFormat, output: LineOutput, isColoured: boolean) {
  const leftOut = (count: number) =>
    format === 'json'
      ? JSON.stringify({ left_out: count })
      : `${count} requests are not shown, since the output was read too slowly.`
  const writer = new LineWriter(output, leftOut)
  const write = format === 'json' ? jsonLineOf : (request: LoggedRequest) => lineOf(request, isColoured)
  return { log: (request: LoggedRequest) => writer.add(write(request)), flush: () => writer.flush() }
}
