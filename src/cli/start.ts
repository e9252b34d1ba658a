/** Starts the command line; the build makes `dist/cli/main.js` of it. */
import { main } from './main.ts'

// After `| head` has closed the pipe, the command goes on without output and still ends with its exit code.
process.stdout.once('error', ({ code }: NodeJS.ErrnoException) => {
  process.stderr.write(`Nobody reads what is printed any more (${code}); it goes on without.\n`)
})
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

process.exitCode = await main(process.argv.slice(2))
