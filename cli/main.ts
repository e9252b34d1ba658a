import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { version } from '../src/version.gen.ts'
import { errorLineOf, exit, UsageError } from './exit.ts'
import { type CommandName, type CommandRow, commands, type Flags, type OptionRow, optionRows } from './options.ts'
import { notePasswords, redactSecrets } from './secrets.ts'
import { terminalOf } from './shown.ts'
import { inThread, type StartThread } from './thread.ts'

/** Runs a command with its flags and arguments, and returns the exit code. `start` starts the thread of a task. */
type Run<Name extends CommandName> = (
  flags: Flags<Name>,
  args: readonly string[],
  start: StartThread,
) => Promise<number>

/** Loads what each command does, and no more than that. */
const runs: { readonly [Name in CommandName]: () => Promise<Run<Name>> } = {
  mock: async () => (await import('./mock.ts')).runMock,
  conformance: async () => (await import('./conformance.ts')).checkDeployment,
  judge: async () => (await import('./judge.ts')).judgeReports,
  learn: async () => (await import('./learn.ts')).learnFiles,
  replay: async () => replayInThread,
  compare: async () => compareInThread,
  reads: async () => (await import('./reads.ts')).printReads,
  docs: async () => (await import('./docs.ts')).writeDocs,
  health: async () => (await import('./health.ts')).checkHealth,
  'journal init': async () => (await import('./journal.ts')).initDatabase,
  'objects init': async () => (await import('./objects.ts')).initBucket,
  'tenant export': async () => (await import('./tenant.ts')).exportToFile,
  'tenant import': async () => (await import('./tenant.ts')).importFromFile,
  mcp: async () => (await import('./agents/mcp.ts')).serveAgent,
}

const replayInThread: Run<'replay'> = (flags, [file = ''], start) =>
  inThread({ kind: 'replay', given: { file, flags, ...terminalOf(process.stdout) } }, { start })

const compareInThread: Run<'compare'> = (flags, [a = '', b = ''], start) =>
  inThread({ kind: 'compare', given: { a, b, flags, ...terminalOf(process.stdout) } }, { start })

/** Runs the command line and returns the exit code. `start` starts the threads in which deployments are called. */
export async function main(argv: readonly string[], start: StartThread): Promise<number> {
  let code: number = exit.ok
  const program = new Command('countersign')
    .description('A stateful mock and a conformance suite for a document approval API.')
    .version(version)
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError(advice('countersign'))
    .configureOutput({ writeErr: (text) => process.stderr.write(redactSecrets(text)) })
  for (const [words, row] of Object.entries<CommandRow>(commands)) {
    const [first, second] = words.split(' ')
    const parent = program.commands.find((command) => second && command.name() === first) ?? program
    const command = declare(parent.command(second ?? words), row).showHelpAfterError(advice(`countersign ${words}`))
    if (row.takes) {
      command.action(async () => {
        const run: Run<never> = await runs[words as CommandName]()
        code = await run(command.opts<never>(), command.args, start)
      })
    }
  }
  notePasswords(argv)
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return code
  } catch (error) {
    return failed(error)
  }
}

const advice = (words: string) => `'${words} --help' lists the options.`

/** Says what was thrown, and returns the exit code. */
async function failed(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exit.ok : exit.usage
  const message = redactSecrets(errorLineOf(error))
  process.stderr.write(`${message}\n`)
  if (process.env.GITHUB_ACTIONS === 'true') {
    const { annotation } = await import('../conformance/report/github.ts')
    process.stdout.write(annotation('error', 'countersign', message))
  }
  return error instanceof UsageError ? exit.usage : exit.couldNotRun
}

/** Adds to a command what its row says. */
function declare(command: Command, { about, args = {}, takes = [], changes = {}, end }: CommandRow): Command {
  command.description(about)
  for (const [name, help] of Object.entries(args)) command.addArgument(new Argument(name, help))
  for (const name of takes) command.addOption(optionOf({ ...optionRows[name], ...changes[name] }))
  return end === undefined ? command : command.addHelpText('after', wrapped(end))
}

/** Creates an option, which refuses the next option as its value, as in `--seed --port 0`. */
function optionOf({ flags, help, choices, parse, default: value, shown, env, conflicts }: OptionRow): Option {
  const option = new Option(flags, help)
  if (choices) option.choices(choices)
  if (value !== undefined) option.default(value, shown)
  if (env !== undefined) option.env(env)
  if (conflicts !== undefined) option.conflicts(conflicts)
  const { parseArg, required, variadic } = option
  if (!required || variadic) return option
  return option.argParser((text: string, previous: unknown) => {
    if (text.startsWith('--')) throw new InvalidArgumentError('Its value is missing.')
    if (parse) return parse(text)
    return parseArg ? parseArg(text, previous) : text
  })
}

/** The most characters in a line of help. */
const mostColumns = 100

/** Returns a text for the end of a command's help. Its paragraphs are wrapped: a line break counts before a blank line, a space or `Word:`. */
function wrapped(text: string): (context: { readonly command: Command }) => string {
  const paragraphs = text.replaceAll(/(?<=\S)\n(?=\S)(?![A-Z][a-z ]+:)/g, ' ')
  return ({ command }) => command.createHelp().boxWrap(paragraphs, mostColumns)
}
