/** A step as a queue in front of several approvers who take up work in the order of arrival. */
export interface Station {
  /** Pieces of work that arrive in a millisecond. */
  readonly arrivalRate: number
  /** Variance over squared mean of the gaps between arrivals; 1 for a Poisson process. */
  readonly arrivalScv: number
  /** How many work at a time; a part of a number stands for something between its neighbours. */
  readonly servers: number
  /** Pieces of work that all of them together can do in a millisecond. */
  readonly capacity: number
  /** Variance over squared mean of the work. */
  readonly workScv: number
}

/** The share of their time that the approvers work; 1 or more when more arrives than they can do. */
export function utilisation({ arrivalRate, capacity }: Station): number {
  return arrivalRate / capacity
}

/**
 * Mean time in milliseconds from arrival until an approver takes it up, for work that goes to whoever is free first:
 * infinite when more arrives than can be done. It is Erlang's formula, corrected for how uneven arrivals and work are
 * (Allen and Cunneen, 1990); with one approver and Poisson arrivals that is the exact one of Pollaczek and Khinchine.
 * Approvers of different speed count as so many equal ones that together do as much.
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

/** Squared coefficient of variation of the gaps between departures (Whitt, The Queueing Network Analyzer, 1983). */
export function departureScv(station: Station): number {
  const { arrivalScv, servers, workScv } = station
  const busy = Math.min(1, utilisation(station)) ** 2
  return 1 + (1 - busy) * (arrivalScv - 1) + (busy * (workScv - 1)) / Math.sqrt(servers)
}

/**
 * How far the waits of two stations go together that get the same arrivals, from 0 to 1: as far as they come from the
 * arrivals and not from the work, and less the faster one of the two forgets them.
 */
export function commonWait(a: Station, b: Station): number {
  const own = (station: Station) => station.arrivalScv / (station.arrivalScv + station.workScv)
  const spare = (station: Station) => Math.max(0.01, 1 - utilisation(station))
  const pace = Math.min(spare(a), spare(b)) / Math.max(spare(a), spare(b))
  return Math.sqrt(own(a) * own(b)) * pace
}

/** The probability that all servers are busy when so much work is offered to them, less than their number. */
function erlangC(servers: number, offered: number): number {
  // Erlang's B by its recursion, which does not overflow.
  let lost = 1
  for (let count = 1; count <= servers; count += 1) lost = (offered * lost) / (count + offered * lost)
  return lost / (1 - (offered / servers) * (1 - lost))
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
