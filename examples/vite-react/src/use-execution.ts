import { useEffect, useState } from 'react'
import { client, type Schemas } from './api.ts'

/** Follows an execution; calls `onEnd` when it is approved or rejected. */
export function useExecution(known: Schemas['Execution'], onEnd: () => void) {
  const [execution, setExecution] = useState(known)
  const [error, setError] = useState<unknown>()
  const { workflow_id, execution_id, status } = known
  useEffect(() => {
    if (status !== 'running') return
    const { signal, abort } = abortable()
    client
      .waitForExecution({ workflow_id, execution_id }, { onUpdate: setExecution, maxDelayMs: 1000, signal })
      .then(onEnd, (cause) => signal.aborted || setError(cause))
    return abort
  }, [workflow_id, execution_id, status, onEnd])
  return { execution, error }
}

function abortable() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
