/**
 * Starts the mock with a workflow that has COUNT ended executions: `node --import tsx history.ts COUNT`. Prints its address and
 * the executed document when it listens.
 */

import { startMock } from '../../src/node/start-mock.ts'
import { definition } from '../harness/history.ts'
import { key } from '../harness/service-client.ts'
import { play } from '../simulation.ts'

const executions = Number(process.argv[2])
const meanGapMinutes = 120
let document = ''
const scenario = {
  name: 'history',
  description: `${executions} executions of one workflow.`,
  leadMs: (executions + 1000) * meanGapMinutes * 60_000,
  play(world: Parameters<typeof play>[0]) {
    document = play(world, { workflow: definition, meanGapMinutes, executions, seed: 1 })
  },
}
const { url, tenants } = await startMock({ port: 0, approvers: 'manual', scenario })
tenants.ofKey(key)
process.stdout.write(`${JSON.stringify({ url, document })}\n`)
