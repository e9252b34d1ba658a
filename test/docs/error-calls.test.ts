import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operationsOf, readYaml } from '../../scripts/contract.ts'
import type { ErrorCall } from '../../scripts/docs/error-call.ts'
import { errorCalls, errorStatuses } from '../../scripts/docs/error-calls.ts'
import { provoke } from '../../scripts/docs/provoke.ts'
import { fieldFunction, scriptOf } from '../../scripts/docs/shell.ts'
import { createMock } from '../../src/index.ts'
import { type RunningMock, startMock } from '../../src/node/start-mock.ts'
import { contract, mustKeepContract, readContract } from '../support/contract.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { sampled } from '../support/sample.ts'
import { freshKey } from '../support/service.ts'

const admin = readYaml('src/contract/admin.yaml')
const adminContract = readContract('src/contract/admin.yaml')
const calls = errorCalls(contract, admin)
const titled = calls.map((call, place) => ({ ...call, place: place + 1 }))

test('every error status of every operation has a call, and no call has another', () => {
  const listed = [contract, admin].flatMap((document) =>
    operationsOf(document).flatMap((one) =>
      errorStatuses(document, one).map((status) => `${one.operationId} ${status}`),
    ),
  )
  const provoked = calls.filter(({ operationId }) => operationId !== 'any')
  expect([...new Set(provoked.map((one) => `${one.operationId} ${one.status}`))].sort()).toEqual(listed.sort())
})

test('every error code of the contract has a call, except internal-error', () => {
  const codes = new Set(calls.map(({ code }) => code))
  const listed: string[] = contract.components.schemas.Problem.properties.code.enum
  expect(listed.filter((code) => !codes.has(code))).toEqual(['internal-error'])
})

const codeIn = (text: string) =>
  text
    .match(/"code":"([^"]*)"|<Code>([^<]*)<\/Code>/)
    ?.slice(1)
    .find(Boolean)

test.each(nonEmpty(titled))('$place: $operationId answers $status $code', async (call) => {
  const { fetch } = createMock({ admin: {} })
  const environment = { COUNTERSIGN_URL: 'http://127.0.0.1:4010', COUNTERSIGN_API_KEY: freshKey() }
  const { request, response } = await provoke(call, fetch, environment)
  await mustKeepContract(request, response)
  await adminContract.mustBeKept(request.method, new URL(request.url).pathname, response)
  expect([response.status, codeIn(await response.text())]).toEqual([call.status, call.code])
})

let server: RunningMock
beforeAll(async () => {
  server = await startMock({ port: 0 })
})
afterAll(() => server.close())

/** Runs the commands as the page shows them. Returns what they print. */
async function runCommands(call: ErrorCall): Promise<string> {
  const env = { ...process.env, COUNTERSIGN_URL: server.url, COUNTERSIGN_API_KEY: freshKey() }
  const script = `set -eu\n${fieldFunction}\n${scriptOf(call.calls)}\n`
  const { stdout } = await promisify(execFile)('sh', ['-c', script], { env })
  return stdout
}

test.each(nonEmpty(sampled(titled)))('$place: the commands print $operationId $status $code', async (call) => {
  const output = await runCommands(call)
  // For a large body, curl first prints the status 100 that asks for it.
  const statuses = [...output.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status))
  expect([statuses.at(-1), codeIn(output)]).toEqual([call.status, call.code])
})
