/** Starts the command line. The build bundles it as `dist/cli/main.js`. */
import { Worker } from 'node:worker_threads'
import { built } from './built.ts'
import { errorLineOf, exit } from './exit.ts'
import { main } from './main.ts'
import { redactSecrets } from './secrets.ts'
import { mostMemoryMb, type StartThread } from './thread.ts'

// After `| head` has closed the pipe, the command goes on without output and still ends with its exit code.
process.stdout.once('error', ({ code }: NodeJS.ErrnoException) => {
  process.stderr.write(`The output is closed (${code}). The work continues without it.\n`)
})
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

// The code of a command that ends in any other way than by itself.
process.exitCode = exit.couldNotRun
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    process.stderr.write(`${redactSecrets(errorLineOf(error))}\n`)
    process.exit(exit.couldNotRun)
  })
}

const start: StartThread = (task) =>
  new Worker(built('cli/worker.js'), { workerData: task, resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb } })

process.exitCode = await main(process.argv.slice(2), start)
