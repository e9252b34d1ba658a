/** Writes the calls of a session as commands for a shell. */
import type { Exchange } from '../wire/exchange.ts'

interface CurlOptions {
  readonly url: string
  /** The names of variables for what answers introduce, such as `$WORKFLOW_1`, by their values. */
  readonly names: ReadonlyMap<string, string>
  /** The key of another tenant. */
  readonly secondKey?: string
}

/** Returns a command for each call, without keys. A comment says which answers have what later commands need. */
export function curlCommands(exchanges: readonly Exchange[], { url, names, secondKey }: CurlOptions): string[] {
  const known = new Map<string, string>()
  return exchanges.map(({ request, sent, sentBytes, bytes, headers }, index) => {
    // A long value may contain a shorter one.
    const values = [...known].toSorted(([a], [b]) => b.length - a.length)
    const quote = (text: string) => quoted(text, values)
    const isUpload = request.method === 'PUT'
    const isBelow = request.url.startsWith(url) && !isUpload
    const [type, key] = ['content-type', 'authorization'].map((name) => request.headers.get(name))
    const variable = key === secondKey ? '$COUNTERSIGN_API_KEY_2' : '$COUNTERSIGN_API_KEY'
    const command = [
      `curl -X ${request.method} ${isBelow ? `"$URL"${quote(request.url.slice(url.length))}` : quote(request.url)}`,
      ...(key === null ? [] : [`-H "Authorization: ${variable}"`]),
      ...(type === null ? [] : [`-H 'Content-Type: ${type}'`]),
      ...(isUpload ? ['--data-binary @file.pdf'] : sent === undefined ? [] : [`-d ${quote(sent)}`]),
    ].join(' ')
    const text = [new TextDecoder().decode(bytes), ...headers.values()].join('\n')
    const shown = [...names].filter(([value]) => !known.has(value) && text.includes(value))
    for (const [value, name] of shown) known.set(value, name)
    const notes = [
      ...(isUpload ? [`file.pdf has ${sentBytes?.size ?? 0} bytes`] : []),
      ...(shown.length > 0 ? [`the answer has ${shown.map(([, name]) => name.slice(1)).join(', ')}`] : []),
    ]
    return notes.length > 0 ? `${command}  # call ${index + 1}: ${notes.join('; ')}` : command
  })
}

/** Returns a text in single quotes, in which values become variables. */
function quoted(text: string, values: readonly (readonly [value: string, name: string])[]): string {
  const whole = values.find(([value]) => value === text)
  if (whole) return `"${whole[1]}"`
  const plain = `'${text.replaceAll("'", `'\\''`)}'`
  return values.reduce((quoted, [value, name]) => quoted.replaceAll(value, `'"${name}"'`), plain)
}
