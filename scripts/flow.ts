/**
 * Runs flow.arazzo.yaml with Redocly Respect against COUNTERSIGN_URL with the key in COUNTERSIGN_API_KEY, or against a mock
 * of its own. Exits 0 when every step went as described, 1 when one did not, 3 without a key.
 */
import { startMock } from '../src/node/index.ts'
import { follow } from './follow.ts'

const { COUNTERSIGN_URL: url, COUNTERSIGN_API_KEY: key } = process.env
if (!url) {
  const mock = await startMock({ port: 0 })
  await report(mock.url, 'test_flow')
  await mock.close()
} else if (key) {
  await report(url.replace(/\/+$/, ''), key)
} else {
  process.stderr.write(
    `Failed to start: because no key is set for ${url}. Put it into COUNTERSIGN_API_KEY, or unset COUNTERSIGN_URL to use a mock.\n`,
  )
  process.exitCode = 3
}

async function report(url: string, key: string): Promise<void> {
  const { passed, printed } = await follow(url, key)
  process.stdout.write(printed)
  if (!passed) process.exitCode = 1
}
