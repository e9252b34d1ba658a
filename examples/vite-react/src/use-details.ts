import { dataOf } from 'countersign/client'
import { useCallback, useEffect, useState } from 'react'
import { client, type Schemas } from './api.ts'

interface Loaded {
  readonly details?: Schemas['WorkflowDetails']
  readonly error?: unknown
}

/** Returns a workflow's details, and a function that reloads them. */
export function useDetails(workflow_id: string) {
  const [loaded, setLoaded] = useState<Loaded>({})
  const load = useCallback(
    async (signal?: AbortSignal) => {
      const init = { params: { path: { workflow_id } }, ...(signal && { signal }) }
      try {
        const details = await dataOf(client.GET('/api/v1/workflows/{workflow_id}', init), signal)
        setLoaded({ details })
      } catch (error) {
        if (!signal?.aborted) setLoaded({ error })
      }
    },
    [workflow_id],
  )
  useEffect(() => {
    const controller = new AbortController()
    load(controller.signal)
    return () => controller.abort()
  }, [load])
  const reload = useCallback(() => load(), [load])
  return { ...loaded, reload }
}
