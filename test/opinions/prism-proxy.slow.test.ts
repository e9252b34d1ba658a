import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { run as runSuite } from '../../conformance/run/runner.ts'
import { reference } from '../../conformance/selftest/reference.ts'
import { runOn } from '../../conformance/selftest/run-on.ts'
import { changeAnswer, changeStatus, type Wrapper, wrap } from '../../conformance/selftest/wrapper.ts'
import { listen } from '../support/listen.ts'
import { disagreements, startPrism } from '../support/prism.ts'
import { clientOf, freshKey } from '../support/service.ts'

/**
 * Prism 5 reads bodies as text, so files bypass it: upload_url names the reference itself. All other tests compare the answers of
 * storage with the contract.
 */
let upstream: Awaited<ReturnType<typeof listen>>
/** Passes everything on, and reports in a header what breaks the contract. */
let observing: Awaited<ReturnType<typeof startPrism>>
/** Replaces answers if the request or the answer breaks the contract. */
let enforcing: typeof observing

beforeAll(async () => {
  upstream = await listen(reference())
  const startFor = (...flags: string[]) => startPrism('proxy', 'openapi.yaml', upstream.url, ...flags)
  ;[observing, enforcing] = await Promise.all([startFor(), startFor('--errors')])
})

beforeEach(() => upstream.become(reference()))

afterAll(() => Promise.all([observing, enforcing, upstream].map((server) => server.close())))

const keys = () => ({ apiKey: freshKey(), secondKey: freshKey() })

/** Codes of requests that the contract itself rules out. Other refusals depend on what has happened before. */
const againstContract = /^(missing-key|invalid-request|unsupported-media-type|unknown-path|method-not-allowed)$/

test('the proxy accepts each answer and objects to refused requests', async () => {
  const seen: { call: string; refused: boolean; objected: boolean; answerFlaws: string[] }[] = []
  const watch = async (request: Request): Promise<Response> => {
    const response = await fetch(request)
    if (!request.url.startsWith(observing.url) || request.method === 'OPTIONS') return response
    const { code = '', errors = [] } = response.ok ? {} : await response.clone().json()
    // Prism does not support our own keyword.
    const onlyOurs = errors.some(({ rule }: { rule: string }) => rule === 'x-unique-by')
    const found = disagreements(response)
    seen.push({
      call: `${request.method} ${request.url} ${response.status} ${code}`,
      refused: againstContract.test(code) && !onlyOurs,
      objected: found.some(({ location }) => location[0] === 'request'),
      answerFlaws: found.filter(({ location }) => location[0] === 'response').map(({ message }) => message),
    })
    return response
  }
  const { verdict } = await runSuite({ url: observing.url, ...keys(), fetch: watch })
  expect(verdict).toBe('conforming')
  expect(seen.filter(({ answerFlaws }) => answerFlaws.length > 0)).toEqual([])
  expect(seen.filter(({ refused, objected }) => refused !== objected)).toEqual([])
  const refusals = seen.filter(({ refused }) => refused).length
  expect(refusals).toBeGreaterThan(10)
  expect(seen.length - refusals).toBeGreaterThan(40)
})

const withoutState = changeAnswer('createWorkflow', ({ status, ...rest }) => rest)

test('the proxy that enforces the contract fails only what breaks the contract', async () => {
  const options = { url: enforcing.url, tries: 1, profile: { settleSeconds: 0 } }
  expect((await runSuite({ ...options, ...keys() })).verdict).toBe('conforming')
  const broken = withoutState(reference())
  expect((await runOn(broken)).verdict).toBe('conforming')
  upstream.become(broken)
  const { checks } = await runSuite({ ...options, ...keys(), selects: (id) => id === 'workflow.name' })
  const verdict = checks.find(({ id }) => id === 'workflow.name')?.verdict
  expect(verdict).toMatch(/^(fail|blocked|inconclusive)$/)
})

const broken: [what: string, wrapper: Wrapper, message: RegExp][] = [
  ['no state', withoutState, /must have required property 'status'/],
  ['a number for a name', changeAnswer('createWorkflow', (body) => ({ ...body, name: 7 })), /name must be string/],
  [
    'a time that is none',
    changeAnswer('createWorkflow', (body) => ({ ...body, created_at: 'today' })),
    /must match format "date-time"/,
  ],
  ['a status that is not listed', changeStatus(['createWorkflow'], 203), /status code/],
  [
    'another media type',
    wrap(async (request, inner) => {
      const { status, body } = await inner(request)
      return new Response(body, { status, headers: { 'Content-Type': 'text/plain' } })
    }),
    /media type "text\/plain" does not match/,
  ],
]

test.each(broken)('the proxy reports an answer with %s', async (_, wrapper, message) => {
  upstream.become(wrapper(reference()))
  const found = disagreements(await clientOf(observing).create())
  const location = expect.arrayContaining(['response'])
  expect(found).toContainEqual(expect.objectContaining({ location, message: expect.stringMatching(message) }))
})
