import type { OperationId } from '../../contract/operations.ts'
import type { World } from '../../world/world.ts'
import type { Preferences } from './prefer.ts'

/** Waits as long as the client asks for, or else as the world's latency says; gives nothing to wait for where that is not. */
export function delay({ settings, faultLuck }: World, { delay }: Preferences): Promise<void> | undefined {
  const { minMs, maxMs } = settings.latency
  const ms = delay ?? (maxMs > 0 ? minMs + faultLuck.draw() * (maxMs - minMs) : 0)
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : undefined
}

/** The status that a fault gives to a call, if one is drawn. */
export function faultStatus({ settings, faultLuck }: World, id: OperationId): number | undefined {
  return settings.faults.find(
    ({ operationId, probability }) => (operationId ?? id) === id && faultLuck.draw() < probability,
  )?.status
}
