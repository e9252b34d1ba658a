import type { Model } from './linearizable.ts'

export type Status = 'running' | 'approved' | 'rejected'

/** Calls about one workflow, whose only step is decided by admin calls. A tag names an execution. */
export type Input =
  | { readonly type: 'start'; readonly tag: string }
  | { readonly type: 'decide'; readonly tag: string; readonly decision: 'approved' | 'rejected' }
  | { readonly type: 'read' }

/** The details of a workflow: how many executions it has, and all of them by their tags. */
export interface Shown {
  readonly total: number
  readonly approved: number
  readonly rejected: number
  readonly executions: readonly (readonly [tag: string, status: Status])[]
}

/** The outcome of a call, or the state that it showed. */
export type Output = 'done' | 'refused' | Shown

/** The executions of the workflow, by their tags: their order would only multiply the states to try. */
export type Started = readonly (readonly [tag: string, status: Status])[]

/** The behaviour of a workflow in a few lines, written independently of the mock. */
export const approvalModel: Model<Started, Input, Output> = {
  initial: [],
  step(started, input, output) {
    switch (input.type) {
      case 'start':
        return output === 'refused' ? undefined : byTag([...started, [input.tag, 'running']])
      case 'decide': {
        const isRunning = started.some(([tag, status]) => tag === input.tag && status === 'running')
        if (!isRunning) return output === 'done' ? undefined : started
        if (output === 'refused') return undefined
        return started.map(([tag, status]) => [tag, tag === input.tag ? input.decision : status])
      }
      case 'read':
        return JSON.stringify(output) === JSON.stringify(shown(started)) ? started : undefined
    }
  },
  key: (started) => JSON.stringify(started),
}

function shown(started: Started): Shown {
  const count = (wanted: Status) => started.filter(([, status]) => status === wanted).length
  return {
    total: started.length,
    approved: count('approved'),
    rejected: count('rejected'),
    executions: started,
  }
}

/** Sorts executions by their tags. */
export function byTag(executions: Started): Started {
  return executions.toSorted(([one], [other]) => (one < other ? -1 : 1))
}
