/** Serves the reference, a mutant, variants or a degenerate server over HTTP: `npm run selftest:serve -- --help`. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Command, InvalidArgumentError } from 'commander'
import { catalogue, combine, UnknownCombination } from './combine.ts'
import { serveOverHttp } from './over-http.ts'

/** Exit codes as everywhere in this project: bad usage, and a run that could not begin. */
const badUsage = 3
const couldNotRun = 4

function portOf(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port < 65_536) return port
  throw new InvalidArgumentError('A port is a number from 0 to 65535.')
}

interface Options {
  readonly mutant?: string
  readonly variant?: string
  readonly degenerate?: string
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
    fail(`Failed to listen: because ${message}. Choose another --port.`, couldNotRun),
  )
  server.listen(port, '127.0.0.1', () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    process.stdout.write(`${JSON.stringify({ ready: true, url, ...combination })}\n`)
  })
}

const command = new Command('selftest:serve')
  .description('Serve the reference, broken or different on purpose, on 127.0.0.1.')
  .option('--mutant <id>', 'break this one thing')
  .option('--variant <axis=value,...>', 'choose otherwise where the document is silent')
  .option('--degenerate <id>', 'serve this in place of the reference')
  .option('--port <number>', '0 takes any free port', portOf, 0)
  .option('--list', 'print all of them as JSON')
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
