import { bytesToHex } from '@noble/hashes/utils.js'

/** Draws a secret of 256 bits, in hexadecimal. */
export function drawSecret(): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
}
