import { escapePointer } from '../contract/json.ts'

/** A text, number, truth value or null in a JSON value, with the JSON Pointer (RFC 6901) to it. */
export interface Leaf {
  readonly pointer: string
  readonly value: string | number | boolean | null
}

/** The limits for hostile values. */
const mostLeaves = 10_000
const mostWaiting = 100_000
const longestPointer = 1500

/** Returns the leaves of a JSON value in their order, at most 10,000. */
export function jsonLeaves(json: unknown): Leaf[] {
  const found: Leaf[] = []
  const waiting: { pointer: string; value: unknown }[] = [{ pointer: '', value: json }]
  while (found.length < mostLeaves) {
    const next = waiting.pop()
    if (!next) break
    const { pointer, value } = next
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) found.push(next as Leaf)
    if (value === null || typeof value !== 'object' || pointer.length > longestPointer) continue
    const members = Object.entries(value).slice(0, Math.max(0, mostWaiting - waiting.length))
    for (const [name, member] of members.reverse()) {
      waiting.push({ pointer: `${pointer}/${escapePointer(name)}`, value: member })
    }
  }
  return found
}
