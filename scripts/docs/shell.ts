import { quoteForShell } from '../../conformance/report/curl.ts'

/** A request. `{{NAME}}` in its texts is a variable, set by the environment or by an earlier answer. */
export interface ShellCall {
  readonly method: string
  /** A path of the mock, or an absolute URL. */
  readonly address: string
  readonly headers?: Readonly<Record<string, string>>
  /** A text, a number of zero bytes, or the name of a file in the reader's directory. */
  readonly body?: string | { readonly zeros: number } | { readonly file: string }
  /** Maps names of variables to the members of the answer that later calls need. */
  readonly keep?: Readonly<Record<string, string>>
}

/** A sequence of calls, of which the last causes one error. */
export interface ErrorCall {
  /** The operation that answers, or `any` if the error does not belong to an operation. */
  readonly operationId: string
  readonly status: number
  /** The `code` of a problem, or the `Code` of a storage error. */
  readonly code: string
  /** Describes the mistake in the last call: a sentence without a subject. */
  readonly wrong: string
  readonly calls: readonly ShellCall[]
  /** True if the mock's memory must be full once it has one tenant. @default false */
  readonly needsFullMemory?: boolean
}

/** The variables of the environment that hold the mock's URL and the key. */
export const environment = { url: '{{COUNTERSIGN_URL}}', key: '{{COUNTERSIGN_API_KEY}}' } as const

const variable = /\{\{(\w+)\}\}/g

/** A shell function that extracts a member of a JSON answer without jq: `| field NAME`. */
export const fieldFunction = `field() { grep -o "\\"$1\\":\\"[^\\"]*" | head -n 1 | cut -d '"' -f 4; }`

/** Returns the absolute URL of a call's address. */
export function absoluteAddress(address: string): string {
  return address.startsWith('/') ? environment.url + address : address
}

/** Writes a call as a curl command for a POSIX shell. */
export function curlOf({ method, address, headers = {}, body }: ShellCall, options = '--include'): string {
  const parts = [
    `curl ${options} --globoff --request ${method} ${toShellWord(absoluteAddress(address))}`,
    ...Object.entries(headers).map(([name, value]) => `--header ${toShellWord(`${name}: ${value}`)}`),
  ]
  const command = (...more: string[]) => [...parts, ...more].join(' \\\n  ')
  if (body === undefined) return command()
  if (typeof body === 'string') return command(`--data-raw ${toShellWord(body)}`)
  if ('file' in body) return command(`--data-binary @${body.file}`)
  return `head -c ${body.zeros} /dev/zero | ${command('--data-binary @-')}`
}

/** Writes calls as a shell script. Only the answer of the last call is printed. */
export function scriptOf(calls: readonly ShellCall[]): string {
  return calls.map((call, place) => (place === calls.length - 1 ? curlOf(call) : preparationOf(call))).join('\n\n')
}

function preparationOf(call: ShellCall): string {
  const kept = Object.entries(call.keep ?? {})
  if (kept.length === 0) return curlOf(call, '--silent --output /dev/null')
  const lines = kept.map(([name, member]) => `${name}=$(echo "$ANSWER" | field ${member})`)
  return [`ANSWER=$(${curlOf(call, '--silent')})`, ...lines].join('\n')
}

/** Quotes a text as one word of a POSIX shell, in which only our variables are expanded. */
function toShellWord(text: string): string {
  const literal = text.replaceAll(variable, '')
  if (literal === text) return quoteForShell(text)
  if (!/["$`\\!]/.test(literal)) return `"${expandVariables(text)}"`
  const pieces = text.split(/(\{\{\w+\}\})/).filter(Boolean)
  return pieces.map((piece) => (piece.startsWith('{{') ? `"${expandVariables(piece)}"` : quoteForShell(piece))).join('')
}

/** Writes variables in shell syntax, with braces if a letter follows. */
function expandVariables(text: string): string {
  return text.replaceAll(/\{\{(\w+)\}\}(\w?)/g, (_, name, next) => (next ? `\${${name}}${next}` : `$${name}`))
}
