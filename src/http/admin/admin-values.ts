import type { Schemas } from '../../contract/operations.ts'
import type { Clock } from '../../world/clock.ts'
import type { Settings } from '../../world/settings.ts'
import { timeTo } from '../service/mapping.ts'
import type { LoggedRequest } from '../wire/request-log.ts'

/** Returns a clock as the admin API's contract writes it. */
export function clockTo(clock: Clock) {
  return { now: timeTo(clock.now()), speed: clock.speed }
}

/** Returns a logged request as the admin API's contract writes it. */
export function requestTo(request: LoggedRequest): Schemas['LoggedRequest'] {
  const { id, at, tenantId, operationId, method, path, status, durationMs, refusal } = request
  return {
    request_id: String(id),
    at: timeTo(at),
    tenant_id: tenantId ?? null,
    operation_id: operationId ?? null,
    method,
    path,
    status,
    duration_ms: durationMs,
    code: refusal?.code ?? null,
    detail: refusal?.detail ?? null,
  }
}

/** Returns settings as the admin API's contract writes them. */
export function settingsTo({ approvers, latency, faults, rateLimit }: Settings): Schemas['Settings'] {
  const { minMs, maxMs, p50Ms, p99Ms } = latency
  return {
    approvers,
    latency: {
      ...{ min_ms: minMs, max_ms: maxMs },
      ...(p50Ms !== undefined && { p50_ms: p50Ms }),
      ...(p99Ms !== undefined && { p99_ms: p99Ms }),
    },
    faults: faults.map(({ operationId, ...fault }) => ({
      ...fault,
      ...(operationId && { operation_id: operationId }),
    })),
    ...(rateLimit && { rate_limit: rateLimit }),
  }
}
