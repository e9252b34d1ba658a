import type { ServerFunction } from '../../conformance/selftest/wrapper.ts'
import { serve } from './serve.ts'

/** Serves a function on a free port of this machine. `become` replaces the function. */
export async function listen(fetch: ServerFunction) {
  let current = fetch
  const become = (other: ServerFunction) => {
    current = other
  }
  return { ...(await serve((request) => current(request))), become }
}
