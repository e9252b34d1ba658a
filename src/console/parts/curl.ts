import type { Schemas } from '../../contract/operations.ts'

type RequestDetails = Schemas['RequestDetails']

/** Headers that curl writes by itself, or that belong to one connection. */
const left = new Set(['host', 'connection', 'content-length', 'accept-encoding', 'user-agent', 'authorization'])

/** Returns a command for a POSIX shell that sends a request again. The key comes from the environment. */
export function curlCommandOf(
  { request, request_headers: headers, request_body: body }: RequestDetails,
  origin: string,
): string {
  const parts = [`curl -X ${request.method} ${quote(origin + request.path)}`]
  if (headers.authorization !== undefined) parts.push(`-H "Authorization: $COUNTERSIGN_API_KEY"`)
  for (const [name, value] of Object.entries(headers)) {
    if (!left.has(name.toLowerCase()) && !name.toLowerCase().startsWith('sec-'))
      parts.push(`-H ${quote(`${name}: ${value}`)}`)
  }
  if (request.operation_id === 'putObject') parts.push("--data-binary '@FILE'")
  else if (body && !body.is_cut) parts.push(`--data-raw ${quote(body.text)}`)
  else if (body) parts.push("--data-binary '@BODY'")
  return parts.join(' \\\n  ')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
