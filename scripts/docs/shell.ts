import { quoted } from '../../conformance/report/curl.ts'

/** A request. `{{NAME}}` in its texts is a variable: of the environment, or what an earlier answer gave. */
export interface ShellCall {
  readonly method: string
  /** A path of the mock, or a whole address. */
  readonly address: string
  readonly headers?: Readonly<Record<string, string>>
  /** A text, so many zeros, or a file beside the reader. */
  readonly body?: string | { readonly zeros: number } | { readonly file: string }
  /** The members of the answer that later calls need, by the name of their variable. */
  readonly keep?: Readonly<Record<string, string>>
}

/** The address of the mock and the key to use, as the environment has them. */
export const environment = { url: '{{COUNTERSIGN_URL}}', key: '{{COUNTERSIGN_API_KEY}}' } as const

const variable = /\{\{(\w+)\}\}/g

/** A member of a JSON answer, by `| field NAME`, for a shell without jq. */
export const fieldFunction = `field() { grep -o "\\"$1\\":\\"[^\\"]*" | head -n 1 | cut -d '"' -f 4; }`

/** A whole address from what a call has as its own. */
export function whole(address: string): string {
  return address.startsWith('/') ? environment.url + address : address
}

/** A curl command for a POSIX shell. */
export function curlOf({ method, address, headers = {}, body }: ShellCall, options = '--include'): string {
  const parts = [
    `curl ${options} --globoff --request ${method} ${word(whole(address))}`,
    ...Object.entries(headers).map(([name, value]) => `--header ${word(`${name}: ${value}`)}`),
  ]
  const command = (...more: string[]) => [...parts, ...more].join(' \\\n  ')
  if (body === undefined) return command()
  if (typeof body === 'string') return command(`--data-raw ${word(body)}`)
  if ('file' in body) return command(`--data-binary @${body.file}`)
  return `head -c ${body.zeros} /dev/zero | ${command('--data-binary @-')}`
}

/** The lines of a shell that make calls one after the other, the last of them to be looked at. */
export function scriptOf(calls: readonly ShellCall[]): string {
  return calls.map((call, place) => (place === calls.length - 1 ? curlOf(call) : preparation(call))).join('\n\n')
}

function preparation(call: ShellCall): string {
  const kept = Object.entries(call.keep ?? {})
  if (kept.length === 0) return curlOf(call, '--silent --output /dev/null')
  const lines = kept.map(([name, member]) => `${name}=$(echo "$ANSWER" | field ${member})`)
  return [`ANSWER=$(${curlOf(call, '--silent')})`, ...lines].join('\n')
}

/** A word of a POSIX shell, in which variables become their values and nothing else is touched. */
function word(text: string): string {
  const literal = text.replaceAll(variable, '')
  if (literal === text) return quoted(text)
  if (!/["$`\\!]/.test(literal)) return `"${expanded(text)}"`
  const pieces = text.split(/(\{\{\w+\}\})/).filter(Boolean)
  return pieces.map((piece) => (piece.startsWith('{{') ? `"${expanded(piece)}"` : quoted(piece))).join('')
}

/** Variables as a shell writes them; in braces where a letter follows. */
function expanded(text: string): string {
  return text.replaceAll(/\{\{(\w+)\}\}(\w?)/g, (_, name, next) => (next ? `\${${name}}${next}` : `$${name}`))
}
