import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endOf } from '../harness/commands.ts'
import { oneRequest } from '../harness/load.ts'
import type { Row } from '../harness/row.ts'
import { type Server, startMockCommand, startVariant } from '../harness/servers.ts'
import { createWorkflowRequest, getRequest, key } from '../harness/service-client.ts'
import { race } from '../harness/throughput.ts'

/** A deployment with other names, an envelope, and identifiers that count. */
const variant = 'field-case=camel,envelope=success-data,workflow-id=counter'

/** The mock with the profile of a deployment, beside the same mock without one. */
export const row: Row = {
  name: 'like',
  async measure() {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
    const profile = await learn(folder)
    const flags = ['--scenario', 'busy-quarter']
    const [ours, plain] = await Promise.all([startMockCommand(...flags, '--like', profile), startMockCommand(...flags)])
    const create = (server: Server) => ({ server, task: oneRequest(createWorkflowRequest(server.url), 201) })
    const read = async (server: Server) => ({ server, task: oneRequest(getRequest(await busyWorkflow(server)), 200) })
    const beside = 'no profile'
    try {
      // Found before others are created, since the journal is read from its end.
      const details = { what: 'read details like a deployment', ours: await read(ours), theirs: await read(plain) }
      return [
        ...(await race({
          ...{ what: 'create a workflow like a deployment', beside, ours: create(ours), theirs: create(plain) },
          ...{ goal: undefined, costGoal: { atMost: 1.3 } },
        })),
        ...(await race({
          ...{ ...details, beside },
          ...{ goal: undefined, costGoal: { atMost: 1.5 } },
        })),
      ]
    } finally {
      await Promise.all([ours.stop(), plain.stop()])
      rmSync(folder, { recursive: true })
    }
  },
}

/** Learns the variant. Returns the path of its profile. */
async function learn(folder: string): Promise<string> {
  const deployment = await startVariant(variant)
  try {
    const env = { COUNTERSIGN_API_KEY: 'test_bench_learn', COUNTERSIGN_URL: deployment.url }
    const { code } = await endOf(['bin/countersign.js', 'learn', '--out', folder], env)
    // 2 says that a part was guessed, which costs the same.
    if (code !== 0 && code !== 2) throw new Error(`Learning ended with exit code ${code}.`)
    return join(folder, 'profile.json')
  } finally {
    await deployment.stop()
  }
}

/** Returns the address of a workflow of the scenario. */
async function busyWorkflow({ url }: Server): Promise<string> {
  const authorized = { headers: { Authorization: key } }
  // The first call with a key opens its world.
  await (await fetch(`${url}/api/v1/workflows/none`, authorized)).arrayBuffer()
  const journal = (await (await fetch(`${url}/__admin/journal?limit=10000`)).json()) as {
    events: readonly { type: string; workflow_id?: string }[]
  }
  const executed = journal.events.find(({ type }) => type === 'ExecutionStarted')?.workflow_id
  if (executed === undefined) throw new Error('The scenario has no execution. Choose another one.')
  return `${url}/api/v1/workflows/${executed}`
}
