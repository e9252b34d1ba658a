import { Server } from 'node:net'
import { expect, test, vi } from 'vitest'
import { handlers } from '../../mocks/handlers.ts'
import { errorAnswers } from '../../src/http/answer-error.ts'
import { createMock } from '../../src/mock.ts'
import { serverOf } from '../../src/node/http.ts'
import type { App, Outgoing } from '../../src/wire/exchange.ts'
import { toFetch } from '../../src/wire/fetch.ts'
import { listening } from '../support/listening.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { sendRaw } from '../support/raw.ts'
import { freshKey } from '../support/service.ts'
import { started } from '../support/started.ts'

const fine: Outgoing = { status: 200, headers: [], body: 'fine' }
const fail = () => {
  throw new Error('ours')
}
const streaming = (pull: UnderlyingDefaultSource<Uint8Array>['pull'], cancel = () => {}): Outgoing => ({
  ...fine,
  stream: new ReadableStream<Uint8Array>({ ...(pull && { pull }), cancel }),
})

/** What goes wrong, and what a client sees of it over a connection. */
const failures: readonly [string, () => Outgoing, 'problem' | 'closed'][] = [
  ['an app that throws', fail, 'problem'],
  ['a status that is none', () => ({ ...fine, status: 99.5 }), 'problem'],
  ['a status beyond all', () => ({ ...fine, status: 1000 }), 'problem'],
  ['a line break in a header', () => ({ ...fine, headers: [['X', 'a\r\nb']] }), 'problem'],
  ['a space in the name of a header', () => ({ ...fine, headers: [['X Y', 'a']] }), 'problem'],
  ['a getter that throws', () => Object.defineProperty({ ...fine }, 'headers', { get: fail }), 'problem'],
  ['a body that is none', () => ({ ...fine, body: Symbol('body') as never }), 'problem'],
  ['a stream that throws', () => streaming(fail), 'closed'],
  ['a stream of no bytes', () => streaming((controller) => controller.enqueue(1 as never)), 'closed'],
]

const serving = (app: App, onFault: (error: unknown) => void) => listening(serverOf(app, errorAnswers(onFault)))

test.each(failures)('%s ends one request of a server, and is reported', async (_, answer, seen) => {
  const faults: unknown[] = []
  const port = await serving(
    async ({ path }) => (path === '/bad' ? answer() : fine),
    (error) => faults.push(error),
  )
  const received = await sendRaw(port, 'GET /bad HTTP/1.1\r\nHost: x\r\n\r\n')
  if (seen === 'problem') expect(received).toMatch(/^HTTP\/1.1 500 [\s\S]*"code":"internal-error"/)
  else expect(received).not.toContain('\r\n0\r\n\r\n')
  expect(faults).toEqual([expect.any(Error)])
  expect(await (await fetch(`http://127.0.0.1:${port}/good`)).text()).toBe('fine')
})

test.each(nonEmpty(failures.filter(([, , seen]) => seen === 'problem').slice(1)))(
  '%s is a 500 of fetch, and is reported',
  async (_, answer) => {
    const onFault = vi.fn()
    const response = await toFetch(async () => answer(), errorAnswers(onFault))('http://any.example/')
    expect([response.status, (await response.json()).code]).toEqual([500, 'internal-error'])
    expect(onFault).toHaveBeenCalledOnce()
  },
)

test('a report of an error that fails itself is a warning, and closes the connection', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  const port = await serving(async () => fail(), fail)
  expect(await sendRaw(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')).toBe('')
  expect(warn).toHaveBeenCalledWith(expect.objectContaining({ message: 'ours' }))
})

test('a stream that cannot be cancelled is reported', async () => {
  const onFault = vi.fn()
  const port = await serving(async () => streaming(undefined, fail), onFault)
  const aborting = new AbortController()
  await fetch(`http://127.0.0.1:${port}/`, { signal: aborting.signal })
  aborting.abort()
  await vi.waitFor(() => expect(onFault).toHaveBeenCalledWith(expect.objectContaining({ message: 'ours' })))
})

test('an error of a caller of the mock is a 500 in each of its forms', async () => {
  const onFault = vi.fn()
  const options = { onRequest: fail, onFault }
  const { mock } = await started(options)
  const at = (base: string) => new Request(`${base}/api/v1/workflows/wf_1`, { headers: { Authorization: freshKey() } })
  const local = 'http://127.0.0.1:4010'
  const [handler] = handlers(options)
  const forms = [
    await fetch(at(mock.url)),
    await createMock(options).fetch(at(local)),
    (await handler?.run({ request: at(local), requestId: '1' }))?.response,
  ]
  for (const response of nonEmpty(forms)) {
    expect(await response?.json()).toMatchObject({ status: 500, code: 'internal-error' })
  }
  expect(onFault).toHaveBeenCalledTimes(3)
})

test('a connection that cannot be accepted is reported, and ends nothing', async () => {
  const listen = vi.spyOn(Server.prototype, 'listen')
  const { faults } = await started()
  const [server] = listen.mock.contexts as Server[]
  server?.emit('error', new Error('accept EMFILE'))
  expect(faults).toHaveLength(1)
})
