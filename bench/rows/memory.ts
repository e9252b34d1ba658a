import { run } from '../harness/commands.ts'
import { type Finding, type Row, spreadOf } from '../harness/row.ts'

const rounds = 3

/** The heap that 100,000 requests leave behind besides state, and the heap that state needs, after garbage collection. */
export const row: Row = {
  name: 'memory',
  async measure() {
    const taken: { left: number; perWorkflow: number; perExecution: number }[] = []
    for (let round = 0; round < rounds; round += 1) {
      taken.push(JSON.parse(await run(['--expose-gc', '--import', 'tsx', 'bench/heap.ts'])))
    }
    const finding = (what: string, values: number[], unit: Finding['unit'], goal: Finding['goal']): Finding => ({
      what,
      figure: spreadOf(values),
      unit,
      goal,
      rounds,
    })
    const lefts = taken.map(({ left }) => left)
    const workflows = taken.map(({ perWorkflow }) => perWorkflow)
    const executions = taken.map(({ perExecution }) => perExecution)
    return [
      finding('heap after 100,000 mixed requests and a reset, above the start', lefts, 'MiB', { atMost: 5 }),
      finding('a stored workflow of 3 steps', workflows, 'KiB', undefined),
      finding('a stored execution of 3 steps, with its 8 events', executions, 'KiB', undefined),
    ]
  },
}
