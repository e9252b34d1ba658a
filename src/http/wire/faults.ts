import type { OperationId } from '../../contract/operations.ts'
import type { World } from '../../world/world.ts'
import type { Preferences } from './prefer.ts'

/** Waits for the delay that the client prefers, or else for the world's latency. Returns undefined if there is no delay. */
export function delay({ settings, faultLuck }: World, { delay }: Preferences): Promise<void> | undefined {
  const { minMs, maxMs } = settings.latency
  const ms = delay ?? (maxMs > 0 ? minMs + faultLuck.draw() * (maxMs - minMs) : 0)
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : undefined
}

/** Draws whether a fault hits this call. Returns the status of the fault, or undefined. */
export function drawFault({ settings, faultLuck }: World, id: OperationId): number | undefined {
  return settings.faults.find(
    ({ operationId, probability }) => (operationId ?? id) === id && faultLuck.draw() < probability,
  )?.status
}
