import { Command, CommanderError } from 'commander'
import { version } from '../version.gen.ts'
import { conformanceCommand } from './conformance.ts'
import { docsCommand } from './docs.ts'
import { exit, UsageError } from './exit.ts'
import { judgeCommand } from './judge.ts'
import { learnCommand } from './learn.ts'
import { mockCommand } from './mock.ts'
import { redactSecrets } from './secrets.ts'
import { tenantCommand } from './tenant.ts'

/** Runs the command line and returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  let code: number = exit.ok
  const done = (result: number) => {
    code = result
  }
  const program = new Command('countersign')
    .description('A stateful mock and a conformance suite for a document approval API.')
    .version(version)
    .enablePositionalOptions()
    .addCommand(mockCommand(done))
    .addCommand(conformanceCommand(done))
    .addCommand(judgeCommand(done))
    .addCommand(learnCommand(done))
    .addCommand(docsCommand(done))
    .addCommand(tenantCommand(done))
  for (const command of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)]) {
    command
      .exitOverride()
      .showHelpAfterError('Run it with --help for a list of commands and options.')
      .configureOutput({ writeErr: (text) => process.stderr.write(redactSecrets(text)) })
  }
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exit.ok : exit.usage
    if (!(error instanceof Error)) throw error
    process.stderr.write(`${redactSecrets(error.message)}\n`)
    return error instanceof UsageError ? exit.usage : exit.couldNotRun
  }
}
