import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startMock } from '../../src/node/start-mock.ts'
import { clientOf, workflow } from '../support/service.ts'

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
  const { url, close } = await startMock({ port: 0 })
  const port = Number(new URL(url).port)
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ internal, scopeid }) => !internal && !scopeid)
    .map(({ address }) => address)
  expect(await accepts('127.0.0.1', port)).toBe(true)
  // A socket that listens on one address refuses other loopback addresses as it refuses other machines.
  for (const address of ['127.0.0.2', '::1', ...outside]) expect(await accepts(address, port), address).toBe(false)
  await close()
})

test('it evaluates no strings as code, with any settings', async () => {
  const bin = fileURLToPath(new URL('../../cli/countersign.js', import.meta.url))
  const child = spawn(process.execPath, [
    '--disallow-code-generation-from-strings',
    bin,
    'mock',
    '--port',
    '0',
    '--json',
  ])
  const [line] = await once(createInterface(child.stdout), 'line')
  const { url } = JSON.parse(line)
  const send = async (...given: Parameters<ReturnType<typeof clientOf>['call']>) =>
    (await clientOf({ url }).call(...given)).status
  const code = { approvers: 'auto', faults: [{ probability: 1, status: 500, operation_id: 'constructor' }] }
  expect(await send('PUT', '/__admin/settings', code)).toBe(400)
  expect(await send('PUT', '/__admin/settings', { approvers: 'instant' })).toBe(200)
  expect(await send('POST', '/api/v1/workflows', workflow())).toBe(201)
  child.kill('SIGTERM')
  await once(child, 'exit')
})
