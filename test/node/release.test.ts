import { expect, test } from 'vitest'
import { release } from '../../src/node/release.ts'

const large = 64 * 1024

test('the memory of a large chunk is released at once', () => {
  const chunk = new Uint8Array(large)
  release(chunk)
  expect(chunk.byteLength).toBe(0)
})

test('a small chunk, or one with shared memory, is not changed', () => {
  const whole = new Uint8Array(large * 2).fill(7)
  const part = whole.subarray(large)
  const small = new Uint8Array(1000).fill(7)
  release(part)
  release(small)
  expect([part.byteLength, part[0]]).toEqual([large, 7])
  expect([small.byteLength, small[0]]).toEqual([1000, 7])
})

test('bytes without an ArrayBuffer are not changed', () => {
  const shared = new Uint8Array(new SharedArrayBuffer(large))
  release(shared)
  expect(shared.byteLength).toBe(large)
})
