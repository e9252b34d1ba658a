/** A step as a queue that several approvers serve in the order of arrival. */
export interface Station {
  /** Pieces of work that arrive per millisecond. */
  readonly arrivalRate: number
  /** Variance over squared mean of the gaps between arrivals; 1 for a Poisson process. */
  readonly arrivalScv: number
  /** The number of approvers; fractions interpolate between the whole numbers around them. */
  readonly servers: number
  /** Pieces of work that all of them together can finish per millisecond. */
  readonly capacity: number
  /** Variance over squared mean of the work. */
  readonly workScv: number
}

/** Returns the share of time that the approvers are busy; 1 or more under overload. */
export function utilisation({ arrivalRate, capacity }: Station): number {
  return arrivalRate / capacity
}

/**
 * Returns the mean time in milliseconds from arrival to the start of work, if work goes to the first free approver;
 * infinite under overload. This is the Erlang C formula, corrected for the variability of arrivals and work (Allen and
 * Cunneen, 1990); for one approver and Poisson arrivals it equals the exact Pollaczek-Khinchine formula. Approvers of
 * different speeds count as equal ones with the same total capacity.
 */
export function meanWaitMs(station: Station): number {
  const { arrivalRate, arrivalScv, servers, capacity, workScv } = station
  if (arrivalRate >= capacity) return Number.POSITIVE_INFINITY
  const fewer = Math.max(1, Math.floor(servers))
  const load = utilisation(station)
  const part = servers - fewer
  const busy = erlangC(fewer, load * fewer) ** (1 - part) * erlangC(fewer + 1, load * (fewer + 1)) ** part
  return ((busy / (capacity - arrivalRate)) * (arrivalScv + workScv)) / 2
}

/** Returns the squared coefficient of variation of the gaps between departures (Whitt, The Queueing Network Analyzer, 1983). */
export function departureScv(station: Station): number {
  const { arrivalScv, servers, workScv } = station
  const busy = Math.min(1, utilisation(station)) ** 2
  return 1 + (1 - busy) * (arrivalScv - 1) + (busy * (workScv - 1)) / Math.sqrt(servers)
}

/**
 * Returns the correlation, from 0 to 1, of the waits at two stations with the same arrivals: high if waits come from the
 * arrivals rather than from the work, and lower if one station recovers from a burst faster than the other.
 */
export function commonWait(a: Station, b: Station): number {
  const own = (station: Station) => station.arrivalScv / (station.arrivalScv + station.workScv)
  const spare = (station: Station) => Math.max(0.01, 1 - utilisation(station))
  const pace = Math.min(spare(a), spare(b)) / Math.max(spare(a), spare(b))
  return Math.sqrt(own(a) * own(b)) * pace
}

/** Returns the probability that all servers are busy. `offered` must be less than `servers`. */
function erlangC(servers: number, offered: number): number {
  // Erlang B by its recursion, which does not overflow.
  let lost = 1
  for (let count = 1; count <= servers; count += 1) lost = (offered * lost) / (count + offered * lost)
  return lost / (1 - (offered / servers) * (1 - lost))
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
