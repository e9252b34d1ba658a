import { useState } from 'react'

/** Runs an action of the user, and tracks whether it is running and its last error. */
export function useAction() {
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<unknown>()
  const run = async (action: () => Promise<void>) => {
    setRunning(true)
    setError(undefined)
    try {
      await action()
    } catch (cause) {
      setError(cause)
    } finally {
      setRunning(false)
    }
  }
  return { isRunning, error, run }
}
