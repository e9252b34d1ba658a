import type { Schemas } from '../../contract/operations.ts'
import { timeTo, written } from '../../contract/written.ts'
import type { LoggedRequest } from '../../wire/exchanges.ts'
import type { Clock } from '../../world/clock.ts'

/** Returns a clock as the admin API's contract writes it. */
export function clockTo(clock: Clock) {
  return { now: timeTo(clock.now()), speed: clock.speed }
}

/** Returns a logged request as the admin API's contract writes it. */
export function requestTo(request: LoggedRequest): Schemas['LoggedRequest'] {
  return written('LoggedRequest', { requestId: String(request.id) }, request, request.refusal)
}
