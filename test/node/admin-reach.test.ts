import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { bin, ready, startNode } from '../support/command.ts'
import { mustAnswer } from '../support/must-answer.ts'
import { clientOf } from '../support/service.ts'
import { started } from '../support/started.ts'

/** Returns true if a server accepts connections at an address. */
function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2000 })
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket
      .once('connect', () => end(true))
      .once('error', () => end(false))
      .once('timeout', () => end(false))
  })
}

test('by default no other machine can connect', async () => {
  const { port } = await started()
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ internal, scopeid }) => !internal && !scopeid)
    .map(({ address }) => address)
  expect(await accepts('127.0.0.1', port)).toBe(true)
  // A socket that listens on one address refuses other loopback addresses as it refuses other machines.
  for (const address of ['127.0.0.2', '::1', ...outside]) expect(await accepts(address, port), address).toBe(false)
})

test('it evaluates no strings as code, with any settings', async () => {
  const { url, stop } = await ready(
    startNode(['--disallow-code-generation-from-strings', bin, 'mock', '--port', '0', '--json']),
  )
  const { call, create } = clientOf({ url })
  const code = { approvers: 'auto', faults: [{ probability: 1, status: 500, operation_id: 'constructor' }] }
  await mustAnswer(call('PUT', '/__admin/settings', code), 400)
  await mustAnswer(call('PUT', '/__admin/settings', { approvers: 'instant' }), 200)
  await mustAnswer(create(), 201)
  await stop()
})
