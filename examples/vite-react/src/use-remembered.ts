import { useState } from 'react'
import type { Schemas } from './api.ts'

export type Remembered = Pick<Schemas['Workflow'], 'workflow_id' | 'name'>

const place = 'approvals.workflows'

/** Remembers the workflows created in this browser, the newest first, since the API has no call that lists them. */
export function useRemembered() {
  const [workflows, setWorkflows] = useState(read)
  const keep = (next: readonly Remembered[]) => {
    localStorage.setItem(place, JSON.stringify(next))
    setWorkflows(next)
  }
  return {
    workflows,
    remember: ({ workflow_id, name }: Remembered) => keep([{ workflow_id, name }, ...workflows]),
    forget: (id: string) => keep(workflows.filter(({ workflow_id }) => workflow_id !== id)),
  }
}

function read(): readonly Remembered[] {
  try {
    return JSON.parse(localStorage.getItem(place) ?? '[]')
  } catch {
    return []
  }
}
