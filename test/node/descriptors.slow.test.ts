import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startMock } from '../../src/node/start-mock.ts'
import { scratch } from '../support/scratch.ts'

/** Returns the number of open descriptors of this process, which only Linux lists. */
const descriptors = () => readdirSync('/proc/self/fd').length

test.runIf(process.platform === 'linux')('starts and stops leave no descriptor open', async () => {
  const folder = scratch()
  const options = { port: 0, storagePort: 0, journal: join(folder, 'journal.jsonl') }
  const { url, close } = await startMock({ ...options, journal: join(folder, 'other.jsonl') })
  const busy = Number(new URL(url).port)
  const before = descriptors()
  for (let turn = 0; turn < 1000; turn += 1) {
    const server = await startMock(options)
    if (turn % 10 === 0) await fetch(`${server.url}/api/v1/workflows/x`, { headers: { Connection: 'close' } })
    await server.close()
    // A start that fails opens descriptors too.
    if (turn % 10 === 0) await expect(startMock({ ...options, port: busy })).rejects.toThrow('EADDRINUSE')
  }
  expect(descriptors()).toBeLessThanOrEqual(before + 2)
  await close()
})
