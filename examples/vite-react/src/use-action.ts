import { useState } from 'react'

/** Something that the user starts: whether it runs, and how it failed the last time. */
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
