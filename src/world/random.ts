import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'

/** Draws random numbers and identifiers from a seed: the same seed gives the same sequence. Not for secrets. */
export class Random {
  readonly #state: Uint32Array

  constructor(seed: string) {
    const digest = sha256(utf8ToBytes(seed))
    this.#state = new Uint32Array(digest.buffer.slice(digest.byteOffset, digest.byteOffset + 16))
  }

  /** Draws 32 random bits (xoshiro128**, Blackman and Vigna 2018). */
  bits(): number {
    const state = this.#state
    const a = state[0] as number
    const b = state[1] as number
    const c = state[2] as number
    const d = state[3] as number
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0
    state[2] = c ^ a
    state[3] = d ^ b
    state[1] = b ^ (c ^ a)
    state[0] = a ^ (d ^ b)
    state[2] = c ^ a ^ (b << 9)
    state[3] = rotate(d ^ b, 11)
    return result
  }

  /** Draws a number from 0 up to but not including 1. */
  draw(): number {
    return this.bits() / 2 ** 32
  }

  /** Draws from the standard normal distribution (Box and Muller 1958). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.draw())) * Math.cos(2 * Math.PI * this.draw())
  }

  /** Draws an identifier of 16 lower-case letters and digits, after the prefix if there is one (gap.identifier-format). */
  id(prefix?: string): string {
    let text = prefix ? `${prefix}_` : ''
    for (let length = 0; length < 16; length += 1) text += alphabet[Math.floor(this.draw() * alphabet.length)]
    return text
  }

  /** Draws a UUID of version 4 (RFC 9562). */
  uuid(): string {
    const hex = Array.from({ length: 4 }, () => this.bits().toString(16).padStart(8, '0')).join('')
    const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4]
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(13, 16)}`,
      variant + hex.slice(17, 20),
      hex.slice(20),
    ].join('-')
  }
}

function rotate(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by))
}
