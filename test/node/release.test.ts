import { expect, test } from 'vitest'
import { release } from '../../src/node/release.ts'

const large = 64 * 1024

test.each([
  ['of a large chunk is released at once', new Uint8Array(large), 0],
  ['of a small chunk stays', new Uint8Array(1000), 1000],
  ['that others share stays', new Uint8Array(large * 2).subarray(large), large],
  ['of threads stays', new Uint8Array(new SharedArrayBuffer(large)), large],
])('the memory %s', (_, bytes, left) => {
  bytes.fill(7)
  release(bytes)
  expect([bytes.byteLength, bytes[0]]).toEqual([left, left === 0 ? undefined : 7])
})
