import type { TimedExchange } from '../../conformance/session/calls.ts'

/** Returns a successful answer of a session. */
export function answerTo(
  call: 'createWorkflow' | 'getWorkflow',
  json: unknown,
): TimedExchange & { readonly name: string } {
  const all = 'http://there.test/api/v1/workflows'
  const sent = call === 'getWorkflow' ? { method: 'GET', url: `${all}/7` } : { method: 'POST', url: all }
  const request = { ...sent, headers: new Headers() }
  const answer = { status: 201, headers: new Headers(), bytes: new Uint8Array(), json, durationMs: 1, at: 0 }
  return { request, name: call, ...answer }
}
