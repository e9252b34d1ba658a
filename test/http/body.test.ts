import { expect, test } from 'vitest'
import { drain, readBytes } from '../../src/http/wire/body.ts'
import type { Incoming } from '../../src/http/wire/exchange.ts'
import { Memory } from '../../src/world/memory.ts'

const MiB = 1024 * 1024

/** A request with an endless body in chunks of 1 MiB. */
function endless() {
  const chunk = new Uint8Array(MiB)
  let read = 0
  const incoming = {
    async readBody(take: (chunk: Uint8Array) => boolean) {
      do read += 1
      while (take(chunk))
    },
  } as Incoming
  return { incoming, read: () => read }
}

test('of an endless body, at most 128 MiB beyond the limit are read', async () => {
  const dropped = endless()
  await drain(dropped.incoming)
  expect(dropped.read()).toBe(129)
  const tooLarge = endless()
  expect(await readBytes(tooLarge.incoming, MiB, new Memory(MiB))).toBeUndefined()
  expect(tooLarge.read()).toBe(130)
})
