/** Writes the calls of a session as commands for a shell. */
import type { Exchange } from '../wire/exchange.ts'

/**
 * Returns a command for each call, without keys; `secondKey` is that of another tenant. `names` has the names of variables for what answers introduce; a comment says which
 * answers have them.
 */
export function curlCommands(
  exchanges: readonly Exchange[],
  {
    url,
    names,
    secondKey,
  }: { readonly url: string; readonly names: ReadonlyMap<string, string>; readonly secondKey?: string },
): string[] {
  const known = new Set<string>()
  return exchanges.flatMap((exchange, index) => {
    const { request, sent, sentBytes } = exchange
    const quote = (text: string) =>
      quoted(
        text,
        [...names].filter(([, name]) => known.has(name)),
      )
    const isUpload = request.method === 'PUT'
    const address =
      request.url.startsWith(url) && !isUpload ? `"$URL"${quote(request.url.slice(url.length))}` : quote(request.url)
    const type = request.headers.get('content-type')
    const size = sentBytes?.size ?? new TextEncoder().encode(sent ?? '').byteLength
    const body = isUpload ? ' --data-binary @file.pdf' : sent === undefined ? '' : ` -d ${quote(sent)}`
    const key = request.headers.get('authorization')
    const variable = key === secondKey ? '$COUNTERSIGN_API_KEY_2' : '$COUNTERSIGN_API_KEY'
    const command = [
      `curl -X ${request.method} ${address}`,
      ...(key === null ? [] : [`-H "Authorization: ${variable}"`]),
      ...(type === null ? [] : [`-H 'Content-Type: ${type}'`]),
    ].join(' ')
    const text = [new TextDecoder().decode(exchange.bytes), ...exchange.headers.values()].join('\n')
    const shown = [...names].filter(([value, name]) => !known.has(name) && text.includes(value))
    for (const [, name] of shown) known.add(name)
    const notes = [
      ...(isUpload ? [`file.pdf has ${size} bytes`] : []),
      ...(shown.length > 0 ? [`the answer has ${shown.map(([, name]) => name.slice(1)).join(', ')}`] : []),
    ]
    return [`${command}${body}${notes.length > 0 ? `  # call ${index + 1}: ${notes.join('; ')}` : ''}`]
  })
}

/** Returns a text in single quotes, in which values become variables. */
function quoted(text: string, values: readonly (readonly [value: string, name: string])[]): string {
  const whole = values.find(([value]) => value === text)
  if (whole) return `"${whole[1]}"`
  let quoted = `'${text.replaceAll("'", `'\\''`)}'`
  // A long value may contain a shorter one.
  for (const [value, name] of [...values].sort(([a], [b]) => b.length - a.length)) {
    quoted = quoted.replaceAll(value, `'"${name}"'`)
  }
  return quoted
}
