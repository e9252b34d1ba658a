import type { Random } from '../world/random.ts'
import type { Latency } from '../world/settings.ts'
import type { World } from '../world/world.ts'
import { Problem } from './problem.ts'

/** The 99th percentile of the standard normal distribution. */
const normal99 = 2.326_347_874_040_841

/** Draws the delay of an answer in milliseconds: log-normal if there are percentiles, otherwise uniform. */
export function drawLatency({ minMs, maxMs, p50Ms, p99Ms }: Latency, random: Random): number {
  if (maxMs === 0) return 0
  if (p50Ms === undefined || p99Ms === undefined) return minMs + random.draw() * (maxMs - minMs)
  const sigma = Math.log(p99Ms / p50Ms) / normal99
  return Math.min(maxMs, Math.max(minMs, p50Ms * Math.exp(sigma * random.normal())))
}

/** Counts a call against the rate limit. Throws a 429 that says when to send the call again. */
export function requireWithinLimit({ settings: { rateLimit = 0 }, rateLimiter: allowance }: World): void {
  if (rateLimit === 0) return
  const waitMs = allowance.take(rateLimit, performance.now())
  if (waitMs === 0) return
  const seconds = Math.ceil(waitMs / 1000)
  const detail = `The rate limit of the mock is ${rateLimit} calls per second and key. Send the call again after ${seconds} s, as Retry-After says.`
  throw new Problem('rate-limited', detail, { headers: { 'Retry-After': String(seconds) } })
}

/** Draws whether a fault hits this call. Returns the status of the fault, or undefined. */
export function drawFault({ settings, faultRandom }: World, id: string): number | undefined {
  return settings.faults.find(
    ({ operationId, probability }) => (operationId ?? id) === id && faultRandom.draw() < probability,
  )?.status
}

/** Waits real milliseconds. */
export function wait(ms = 0): Promise<void> | undefined {
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : undefined
}
