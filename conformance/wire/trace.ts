import type { Label } from './label.ts'

/** Returns the headers of a request. */
export type Trace = (label?: Label) => Readonly<Record<'traceparent' | 'tracestate', string>>

/**
 * Writes the headers that find the requests of a run in a deployment's own traces (W3C Trace Context, level 1). All requests of
 * a run share one trace id. `tracestate` names the run and the step: `countersign=1a2b3c4d/create-workflow-1`.
 */
export function traceOf(runId: string): Trace {
  const traceId = hexDigits(32)
  return (label) => {
    const step = label ? `/${label.step.replaceAll(' ', '-')}` : ''
    return { traceparent: `00-${traceId}-${hexDigits(16)}-01`, tracestate: `countersign=${runId}${step}` }
  }
}

/** Draws hexadecimal digits, up to 32. They are never all 0, which the format forbids, since a UUID has its version in them. */
function hexDigits(length: number): string {
  return crypto.randomUUID().replaceAll('-', '').slice(0, length)
}
