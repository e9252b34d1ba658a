/** Chance for rendered answers. */
import type { RandomSource } from '../../profile/template.ts'

/** Draws new values: for the same text always the same ones, without a text others each time. */
export function seededRandom(seed: string): RandomSource {
  let calls = 0
  return {
    draw(text) {
      calls += 1
      return drawsOf(`${seed}/${text ?? `call ${calls}`}`)
    },
  }
}

/**
 * Returns draws from 0 up to 1 that a text decides: FNV-1a, then mulberry32. Not for secrets. The world's `Random` hashes its
 * seed with SHA-256, which is too slow for each new value of an answer.
 */
function drawsOf(text: string): () => number {
  let state = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
