/** Starts the command line. The build bundles it as `dist/cli/main.js`. */
import { main } from './main.ts'

// After `| head` has closed the pipe, the command goes on without output and still ends with its exit code.
process.stdout.once('error', ({ code }: NodeJS.ErrnoException) => {
  process.stderr.write(`The output is closed (${code}). The work continues without it.\n`)
})
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

process.exitCode = await main(process.argv.slice(2))
