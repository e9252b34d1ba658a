/** Bounds the work for deployments whose answers are too large to learn from. */
import type { Exchange } from '../wire/exchange.ts'

/** The limit of values in an answer that is learned whole, and the number of values kept from a larger answer. */
export const mostValues = 4000
const keptValues = 500

/** Counts the members and items of a value at every depth, up to a number. */
function countValues(value: unknown, most: number): number {
  let count = 0
  const waiting: unknown[] = [value]
  while (waiting.length > 0 && count < most) {
    const next = waiting.pop()
    count += 1
    if (next === null || typeof next !== 'object') continue
    for (const name in next) {
      waiting.push((next as Record<string, unknown>)[name])
      if (waiting.length > most) return most
    }
  }
  return count
}

/**
 * Returns an exchange as it is, or if its answer is too large to learn from, with the first of its values: those may be the
 * identifiers that other calls use.
 */
export function bounded<One extends Exchange>(exchange: One): One & { readonly isOversized?: true } {
  if (countValues(exchange.json, mostValues) < mostValues) return exchange
  const json = firstValues(exchange.json, { left: keptValues })
  return { ...exchange, json, bytes: new TextEncoder().encode(JSON.stringify(json)), isOversized: true }
}

function firstValues(value: unknown, budget: { left: number }): unknown {
  if (value === null || typeof value !== 'object') return value
  const kept: [string, unknown][] = []
  for (const name in value) {
    if (budget.left <= 0) break
    budget.left -= 1
    kept.push([name, firstValues((value as Record<string, unknown>)[name], budget)])
  }
  return Array.isArray(value) ? kept.map(([, item]) => item) : Object.fromEntries(kept)
}
