/** A mock in a process of its own, for tests that end or pause it. Prints its address. */
import { startMock } from '../../src/node/start-mock.ts'

const [journal = '', options = '{}'] = process.argv.slice(2)
const mock = await startMock({
  journal,
  ...JSON.parse(options),
  onWarning: (message) => process.stderr.write(`${message}\n`),
  onFault: (error) => process.stderr.write(`${error instanceof Error ? error.stack : error}\n`),
})
process.stdout.write(`${mock.url}\n`)
process.once('SIGTERM', () => mock.close())
