import type { ServerFunction } from '../../conformance/selftest/wrapper.ts'
import { mapValues } from '../contract.ts'
import { absoluteAddress, type ErrorCall, type ShellCall } from './shell.ts'

/** Makes the calls one after the other. Returns the last request and its response. Throws if an earlier call fails. */
export async function provoke(
  { operationId, code, calls }: ErrorCall,
  fetch: ServerFunction,
  environment: Readonly<Record<string, string>>,
): Promise<{ request: Request; response: Response }> {
  const variables = new Map(Object.entries(environment))
  for (const [place, call] of calls.entries()) {
    const request = requestOf(call, variables)
    const response = await fetch(request.clone())
    if (place === calls.length - 1) return { request, response }
    if (!response.ok)
      throw new Error(`A preparing call for ${code} of ${operationId} was refused: ${await response.text()}`)
    const answer = call.keep ? await response.json() : {}
    for (const [name, member] of Object.entries(call.keep ?? {})) variables.set(name, answer[member])
  }
  throw new Error(`${code} of ${operationId} has no calls. Add the call that causes it.`)
}

function requestOf(call: ShellCall, variables: ReadonlyMap<string, string>): Request {
  const { method, address, headers = {}, body } = call
  const substitute = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => variables.get(name) ?? '')
  if (typeof body === 'object' && 'file' in body)
    throw new Error(`The file ${body.file} exists only for readers. Use a text or zeros as the body.`)
  return new Request(substitute(absoluteAddress(address)), {
    method,
    headers: mapValues(headers, substitute),
    body: typeof body === 'object' ? new Uint8Array(body.zeros) : substitute(body ?? '') || null,
  })
}
