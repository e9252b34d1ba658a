import type { ServerFunction } from '../../conformance/selftest/wrapper.ts'
import { absoluteAddress, type ErrorCall, type ShellCall } from './shell.ts'

/** Makes the calls one after the other. Returns the last request and its response. Throws if an earlier call fails. */
export async function provoke(
  { operationId, code, calls }: ErrorCall,
  fetch: ServerFunction,
  environment: Readonly<Record<string, string>>,
): Promise<{ request: Request; response: Response }> {
  const variables = new Map(Object.entries(environment))
  for (const call of calls.slice(0, -1)) {
    const response = await fetch(requestOf(call, variables))
    if (!response.ok)
      throw new Error(`A preparing call for ${code} of ${operationId} was refused: ${await response.text()}`)
    const answer = call.keep ? await response.json() : {}
    for (const [name, member] of Object.entries(call.keep ?? {})) variables.set(name, answer[member])
  }
  const last = calls.at(-1)
  if (!last) throw new Error(`${code} of ${operationId} has no calls. Add the call that causes it.`)
  const request = requestOf(last, variables)
  return { request, response: await fetch(request.clone()) }
}

function requestOf(
  { method, address, headers = {}, body }: ShellCall,
  variables: ReadonlyMap<string, string>,
): Request {
  const substitute = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => variables.get(name) ?? '')
  const valuedHeaders = Object.entries(headers).map(([name, value]): [string, string] => [name, substitute(value)])
  return new Request(substitute(absoluteAddress(address)), {
    method,
    headers: valuedHeaders,
    body: bytesOf(body, substitute),
  })
}

function bytesOf(body: ShellCall['body'], substitute: (text: string) => string): BodyInit | null {
  if (body === undefined) return null
  if (typeof body === 'string') return substitute(body)
  if ('zeros' in body) return new Uint8Array(body.zeros)
  throw new Error(`The file ${body.file} exists only for readers. Use a text or zeros as the body.`)
}
