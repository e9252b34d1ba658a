import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readYaml } from '../../scripts/contract.ts'
import { errorCalls } from '../../scripts/docs/error-calls.ts'
import { type ErrorCall, fieldFunction, scriptOf } from '../../scripts/docs/shell.ts'
import type { RunningMock } from '../../src/node/start-mock.ts'
import { contract } from '../support/contract.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { sampled } from '../support/sample.ts'
import { errorCodeIn, freshKey } from '../support/service.ts'
import { sharedMock } from '../support/started.ts'

const [server, full] = [await sharedMock(), await sharedMock({ maxMemoryBytes: 1 })]

/** Runs the commands as the page shows them. Returns what they print. */
async function runCommands(call: ErrorCall, { url }: RunningMock): Promise<string> {
  const env = { ...process.env, COUNTERSIGN_URL: url, COUNTERSIGN_API_KEY: freshKey() }
  const script = `set -eu\n${fieldFunction}\n${scriptOf(call.calls)}\n`
  const { stdout } = await promisify(execFile)('sh', ['-c', script], { env })
  return stdout
}

const calls = errorCalls(contract, readYaml('src/contract/admin.yaml'))
const titled = calls.map((call, place) => ({ ...call, place: place + 1 }))

test.each(nonEmpty(sampled(titled, 4)))('$place: the commands print $operationId $status $code', async (call) => {
  const output = await runCommands(call, call.needsFullMemory ? full : server)
  // For a large body, curl first prints the status 100 that asks for it.
  const statuses = [...output.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status))
  expect([statuses.at(-1), errorCodeIn(output)]).toEqual([call.status, call.code])
})
