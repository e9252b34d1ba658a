/**
 * Runs flow.arazzo.yaml with Redocly Respect against COUNTERSIGN_URL with the key in COUNTERSIGN_API_KEY, or without a URL
 * against a new mock. Exits 0 if every step succeeded, 1 if one failed, 3 if the key is missing.
 */
import { startMock } from '../src/node/index.ts'
import { runFlow } from './follow.ts'

const { COUNTERSIGN_URL: url, COUNTERSIGN_API_KEY: key } = process.env
if (!url) {
  const mock = await startMock({ port: 0 })
  await report(mock.url, 'test_flow')
  await mock.close()
} else if (key) {
  await report(url.replace(/\/+$/, ''), key)
} else {
  process.stderr.write(`No API key for ${url}. Set COUNTERSIGN_API_KEY, or unset COUNTERSIGN_URL to use a mock.\n`)
  process.exitCode = 3
}

async function report(url: string, key: string): Promise<void> {
  const { passed, printed } = await runFlow(url, key)
  process.stdout.write(printed)
  if (!passed) process.exitCode = 1
}
