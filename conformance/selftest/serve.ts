/** Serves the reference, a mutant, variants or a degenerate server over HTTP: `npm run selftest:serve -- --help`. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Command, InvalidArgumentError } from 'commander'
import { catalogue, combine } from './combine.ts'
import { UnknownCombination } from './mutant.ts'
import { serveOverHttp } from './over-http.ts'

/** The same exit codes as in the command line. */
const badUsage = 3
const couldNotRun = 4

function portOf(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port < 65_536) return port
  throw new InvalidArgumentError('Use a number from 0 to 65535.')
}

interface Options {
  readonly mutant?: string
  readonly variant?: string
  readonly degenerate?: string
  readonly runningClock?: true
  readonly port: number
  readonly list?: true
}

function fail(message: string, code: number): never {
  process.stderr.write(`${message}\n`)
  process.exit(code)
}

function serve({ port, list, ...combination }: Options): void {
  if (list) {
    process.stdout.write(`${JSON.stringify(catalogue(), undefined, 2)}\n`)
    return
  }
  const fetch = combine(combination)
  const server = createServer((incoming, outgoing) => serveOverHttp(fetch, incoming, outgoing))
  server.once('error', ({ message }) =>
    fail(`The server cannot listen: ${message}. Choose another --port.`, couldNotRun),
  )
  server.listen(port, '127.0.0.1', () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    process.stdout.write(`${JSON.stringify({ ready: true, url, ...combination })}\n`)
  })
}

const command = new Command('selftest:serve')
  .description('Serve the reference, or a broken or different one, on 127.0.0.1.')
  .option('--mutant <id>', 'break one documented fact')
  .option('--variant <axis=value,...>', 'change choices that the document leaves open')
  .option('--degenerate <id>', 'serve this server instead of the reference')
  .option('--running-clock', 'let the clock run; it stands still by default, so that each run has the same answers')
  .option('--port <number>', 'listen on this port; 0 is any free port', portOf, 0)
  .option('--list', 'print all mutants, variants and degenerate servers as JSON')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : badUsage))
  .action((options: Options) => {
    try {
      serve(options)
    } catch (error) {
      if (error instanceof UnknownCombination) fail(error.message, badUsage)
      throw error
    }
  })

command.parse()
