import { Command, CommanderError, InvalidArgumentError, type Option } from 'commander'
import { version } from '../version.gen.ts'
import { compareCommand } from './compare.ts'
import { conformanceCommand } from './conformance.ts'
import { docsCommand } from './docs.ts'
import { errorLineOf, exit, UsageError } from './exit.ts'
import { healthCommand } from './health.ts'
import { journalCommand } from './journal.ts'
import { judgeCommand } from './judge.ts'
import { learnCommand } from './learn.ts'
import { mcpCommand } from './mcp.ts'
import { mockCommand } from './mock.ts'
import { objectsCommand } from './objects.ts'
import { readsCommand } from './reads.ts'
import { replayCommand } from './replay.ts'
import { notePasswords, redactSecrets } from './secrets.ts'
import { startThread } from './start-thread.ts'
import { tenantCommand } from './tenant.ts'
import type { StartThread } from './thread.ts'

/** Runs the command line and returns the exit code. `start` replaces the threads in which deployments are called. */
export async function main(argv: readonly string[], start: StartThread = startThread): Promise<number> {
  let code: number = exit.ok
  const done = (result: number) => {
    code = result
  }
  const program = new Command('countersign')
    .description('A stateful mock and a conformance suite for a document approval API.')
    .version(version)
    .enablePositionalOptions()
    .addCommand(mockCommand(done))
    .addCommand(conformanceCommand(done, start))
    .addCommand(judgeCommand(done))
    .addCommand(learnCommand(done, start))
    .addCommand(replayCommand(done, start))
    .addCommand(compareCommand(done, start))
    .addCommand(readsCommand(done))
    .addCommand(docsCommand(done))
    .addCommand(healthCommand(done))
    .addCommand(journalCommand(done))
    .addCommand(objectsCommand(done))
    .addCommand(tenantCommand(done))
    .addCommand(mcpCommand(done, start))
  for (const command of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)]) {
    command
      .exitOverride()
      .showHelpAfterError(`'${nameOf(command)} --help' lists the options.`)
      .configureOutput({ writeErr: (text) => process.stderr.write(redactSecrets(text)) })
    for (const option of command.options) requireValue(option)
  }
  notePasswords(argv)
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exit.ok : exit.usage
    const message = redactSecrets(errorLineOf(error))
    process.stderr.write(`${message}\n`)
    if (process.env.GITHUB_ACTIONS === 'true') {
      const { annotation } = await import('../../conformance/report/github.ts')
      process.stdout.write(annotation('error', 'countersign', message))
    }
    return error instanceof UsageError ? exit.usage : exit.couldNotRun
  }
}

/** Refuses the next option as the value of an option, as in `--seed --port 0`. */
function requireValue(option: Option): void {
  const { parseArg, variadic } = option
  if (!option.required || variadic) return
  option.argParser((value: string, previous: unknown) => {
    if (value.startsWith('--')) throw new InvalidArgumentError('Its value is missing.')
    return parseArg ? parseArg(value, previous) : value
  })
}

/** Returns the words that run a command: `countersign journal init`. */
function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name()
}
