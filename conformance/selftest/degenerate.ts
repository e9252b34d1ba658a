import { type Degenerate, type DegenerateRow, degeneratesOf, exhaustingServers, hostile } from './hostile.ts'
import { reference } from './reference.ts'
import { callOf, type ServerFunction } from './wrapper.ts'

/** Answers every request in the same way. */
const always =
  (status: number, body: string | null, type = 'application/json') =>
  (): ServerFunction =>
  async () =>
    new Response(body, { status, headers: body === null ? {} : { 'Content-Type': type } })

const error = (status: number) => always(status, JSON.stringify({ error: `status ${status}` }))

const login = '<!doctype html><title>Sign in</title><form method="post"><input name="user"><button>Go</button></form>'

/** Answers each request with its own body. */
const echo = (): ServerFunction => async (request) => {
  const body = await request.text()
  const type = request.headers.get('Content-Type') ?? 'application/json'
  return new Response(body || JSON.stringify({ method: request.method, url: request.url }), {
    headers: { 'Content-Type': type },
  })
}

const redirect = (status: number) => (): ServerFunction => async (request) => {
  const { pathname } = new URL(request.url)
  return new Response(null, { status, headers: { Location: `https://elsewhere.example${pathname}` } })
}

/** Keeps the request open until the client aborts it. */
const silent = (): ServerFunction => (request) =>
  new Promise((_, reject) => {
    // A timer keeps the process alive, as an open connection would. A pending promise does not.
    const connection = setInterval(() => {}, 60_000)
    const giveUp = () => {
      clearInterval(connection)
      reject(request.signal.reason)
    }
    if (request.signal.aborted) giveUp()
    else request.signal.addEventListener('abort', giveUp, { once: true })
  })

/** Fails to connect, with the same error as Node. */
const refuses = (code: string) => (): ServerFunction => async () => {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error(`connect ${code}`), { code }) })
}

/** The reference, except that every `every`-th request fails, before or after it was carried out. */
const unreliable =
  (every: number, answer: () => Promise<Response>, carriesOut = false) =>
  (): ServerFunction => {
    const sound = reference()
    let requests = 0
    return async (request) => {
      requests += 1
      if (requests % every !== 0) return sound(request)
      if (carriesOut) await sound(request)
      return answer()
    }
  }

/** Answers every call with success and the documented names, but does nothing. */
const yes = (): ServerFunction => async (request) => {
  const { origin } = new URL(request.url)
  if (callOf(request) === undefined && request.method === 'PUT') return new Response(null)
  const session_id = '3c0e9f6a-51d2-4b7e-9a44-6f1d2f0c8b11'
  return Response.json({ id: '1', workflow_id: '1', document_id: '1', session_id, upload_url: `${origin}/put` })
}

const errors = { unauthorized: 401, forbidden: 403, 'not-found': 404, broken: 500, unavailable: 503, throttled: 429 }

/** The servers that must never conform. */
export const degenerates: readonly Degenerate[] = [
  ...degeneratesOf([
    ['empty-object', 'Answers 200 with an empty object to everything.', always(200, '{}')],
    ['empty-body', 'Answers 200 with an empty body to everything.', always(200, null)],
    ['no-content', 'Answers 204 to everything.', always(204, null)],
    ['null', 'Answers 200 with null to everything.', always(200, 'null')],
    ['ok-true', 'Answers 200 with {"success":true} to everything.', always(200, '{"success":true}')],
    ['login-page', 'Answers 200 with a login page.', always(200, login, 'text/html')],
    ['broken-json', 'Answers 200 with half of a JSON text.', always(200, '{"workflow_id":"wf_')],
    ...Object.entries(errors).map(
      ([id, status]): DegenerateRow => [id, `Answers ${status} to everything.`, error(status)],
    ),
    ['echo', 'Answers every request with its own body.', echo],
    ['yes', 'Answers every call with success and the documented names, but does nothing.', yes],
    ['redirect-302', 'Redirects everything elsewhere with 302.', redirect(302)],
    ['redirect-308', 'Redirects everything elsewhere with 308.', redirect(308)],
    ['silent', 'Never answers.', silent],
    ['refused', 'Refuses connections.', refuses('ECONNREFUSED')],
    ['reset', 'Resets connections.', refuses('ECONNRESET')],
    ...[5, 21, 24, 33, 40].map(
      (every): DegenerateRow => [
        `one-in-${every}-broken`,
        `Answers one request in ${every} with 500.`,
        unreliable(every, async () => new Response(null, { status: 500 })),
      ],
    ),
    [
      'one-in-5-lost',
      'Carries out one request in 5, but resets its connection.',
      unreliable(5, refuses('ECONNRESET')() as () => Promise<Response>, true),
    ],
  ]),
  ...hostile,
]

/** Returns the degenerate or exhausting server with an id. */
export function degenerateOf(id: string): Degenerate | undefined {
  return [...degenerates, ...exhaustingServers].find((degenerate) => degenerate.id === id)
}
