import type { ServerFunction } from '../../conformance/selftest/wrapper.ts'
import type { ErrorCall } from './error-call.ts'
import { type ShellCall, whole } from './shell.ts'

/** Makes the calls one after the other; gives the last with its answer. Throws where one before it fails. */
export async function provoke(
  { operationId, code, calls }: ErrorCall,
  fetch: ServerFunction,
  environment: Readonly<Record<string, string>>,
): Promise<{ request: Request; response: Response }> {
  const variables = new Map(Object.entries(environment))
  for (const call of calls.slice(0, -1)) {
    const response = await fetch(requestOf(call, variables))
    if (!response.ok) throw new Error(`Failed to prepare ${code} of ${operationId}: because ${await response.text()}`)
    const answer = call.keep ? await response.json() : {}
    for (const [name, member] of Object.entries(call.keep ?? {})) variables.set(name, answer[member])
  }
  const last = calls.at(-1)
  if (!last) throw new Error(`Failed to provoke ${code} of ${operationId}: because there is no call.`)
  const request = requestOf(last, variables)
  return { request, response: await fetch(request.clone()) }
}

function requestOf(
  { method, address, headers = {}, body }: ShellCall,
  variables: ReadonlyMap<string, string>,
): Request {
  const valued = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => variables.get(name) ?? '')
  const valuedHeaders = Object.entries(headers).map(([name, value]): [string, string] => [name, valued(value)])
  return new Request(valued(whole(address)), { method, headers: valuedHeaders, body: bytesOf(body, valued) })
}

function bytesOf(body: ShellCall['body'], valued: (text: string) => string): BodyInit | null {
  if (body === undefined) return null
  if (typeof body === 'string') return valued(body)
  if ('zeros' in body) return new Uint8Array(body.zeros)
  throw new Error(`Failed to send ${body.file}: because only a reader has it.`)
}
