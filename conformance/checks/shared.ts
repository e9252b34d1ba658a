import { fail, type Observation, pass } from '../check.ts'
import { type Exchange, label, succeeded } from '../exchange.ts'

/** Passes where the call was carried out. */
export function mustBeDone(exchange: Exchange): Observation {
  return succeeded(exchange)
    ? pass(`${label(exchange)}.`)
    : fail(`${label(exchange)}, so the call was not carried out.`)
}

/** Passes where the call was refused, whatever the refusal looks like. */
export function mustBeRefused(exchange: Exchange, what: string): Observation {
  return succeeded(exchange) ? fail(`${label(exchange)} to ${what}.`) : pass(`${label(exchange)} to ${what}.`)
}
