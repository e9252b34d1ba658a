import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Command } from 'commander'
import type { LearnedRow } from '../../conformance/learning/table.ts'
import { showHidden, truncate } from '../../conformance/wire/inert.ts'
import { defaultMaxMs } from '../../conformance/wire/transport.ts'
import type { LearnedDeployment } from '../learn/learn-deployment.ts'
import { cureFor } from './connection.ts'
import { exit } from './exit.ts'
import { learnInThread } from './learn-thread.ts'
import { httpUrl, perSecond, seconds } from './options.ts'
import { terminalOf } from './reporting.ts'
import { type RunFlags, runPlan } from './run-options.ts'

interface LearnFlags extends Omit<RunFlags, 'level'> {
  readonly out: string
  readonly verbose?: boolean
}

const help = `
Writes profile.json: how the deployment answers each call, and what it refuses. Use it with

  countersign mock --like profile.json            a mock that answers like the deployment
  countersign conformance --profile profile.json  the suite, which then need not search

Environment and protections are those of conformance: COUNTERSIGN_URL, COUNTERSIGN_API_KEY, a test-mode key
(--allow-live-key), at most 5 requests per second on other machines (--rate-limit). It sends about 170 requests, and creates
workflows, executions and documents that the API cannot delete. No key is in the files that it writes.

Exit codes: 0 learned, 2 learned but for something (see the table), 3 bad usage or configuration, 4 could not run.`

/** Creates `countersign learn`, which writes how a deployment answers. */
export function learnCommand(done: (code: number) => void): Command {
  return new Command('learn')
    .description('Learn how a deployment answers, so that the mock can answer like it.')
    .option('--url <url>', 'base URL of the deployment; set its key in COUNTERSIGN_API_KEY', httpUrl)
    .option('--out <dir>', 'folder for profile.json', 'countersign-profile')
    .option(
      '--header <header...>',
      "send 'Name: value' with each call of the service; 'Name: env:VARIABLE' reads the value from a variable",
    )
    .option('--profile <file>', 'JSON file that locates what cannot be found in the answers')
    .option('--request-timeout <time>', 'wait this long for each answer', seconds, 10)
    .option('--settle <time>', 'wait this long for the effects of a call to show (default: 10s)', seconds)
    .option('--rate-limit <rate>', 'limit the requests per second (default: 5/s, unlimited on loopback)', perSecond)
    .option('--cacert <file>', 'trust the certificate authorities in this PEM file too')
    .option('--insecure', 'skip the check of certificates')
    .option('--verbose', 'print each place where the mock answers differently')
    .option('--allow-live-key', 'accept a key without a test-mode prefix')
    .addHelpText('after', help)
    .action(async (flags: LearnFlags) => {
      const { out, verbose = false, ...run } = flags
      const plan = await runPlan({ ...run, level: 'assumed' })
      await mustBeWritable(out)
      const { tty } = terminalOf(process.stderr)
      const onStage = (stage: string, sent: number) => {
        if (tty) process.stderr.write(`\r\x1b[2K${stage}, ${sent} requests`)
      }
      const maxMs = 3 * (plan.maxMs ?? defaultMaxMs)
      const code = new URL('./learn-worker.js', import.meta.url)
      const end = await learnInThread({ code, data: plan, stopAfterMs: maxMs, onStage })
      if (tty) process.stderr.write('\r\x1b[2K')
      if (end.kind === 'unreachable')
        throw new Error(`${plan.url} cannot be reached (${end.reason}). ${cureFor(end.reason)}`)
      const { learned } = end
      const file = await writeProfile(out, learned)
      process.stdout.write(`${learnedText(learned, file, verbose)}\n`)
      done(isWhole(learned) ? exit.ok : exit.undecided)
    })
}

/** Whether every call was seen to succeed, and every place is explained. */
function isWhole({ profile, guesses }: LearnedDeployment): boolean {
  return guesses.length === 0 && Object.keys(profile.answers ?? {}).length === 6
}

async function mustBeWritable(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
  } catch (error) {
    throw unwritable(error)
  }
}

function unwritable(error: unknown): Error {
  const why = error instanceof Error ? error.message : String(error)
  return new Error(`The profile cannot be written: ${why}. Choose another folder with --out.`)
}

/** Writes the profile completely or not at all. Returns its path. */
async function writeProfile(folder: string, { profile }: LearnedDeployment): Promise<string> {
  const path = join(folder, 'profile.json')
  const draft = `${path}.${crypto.randomUUID().slice(0, 8)}.part`
  try {
    const file = await open(draft, 'wx')
    try {
      await file.writeFile(`${JSON.stringify(profile, null, 2)}\n`)
    } finally {
      await file.close()
    }
    await rename(draft, path)
    return path
  } catch (error) {
    await rm(draft, { force: true })
    throw unwritable(error)
  }
}

/** The most places that are listed. */
const mostListed = 20

/** Returns what is printed at the end: the table, what could not be learned, and the likeness. */
export function learnedText(learned: LearnedDeployment, file: string, verbose = false): string {
  const { table, likeness, guesses, requests, leftBehind, profile } = learned
  const { places, agreeing, differences } = likeness
  const share = (places === 0 ? 0 : Math.floor((100 * agreeing) / places) / 100).toFixed(2)
  const shown = differences.slice(0, verbose ? differences.length : mostListed)
  const missing = [
    'createWorkflow',
    'executeWorkflow',
    'getWorkflow',
    'requestUpload',
    'confirmUpload',
    'putObject',
  ].filter((operation) => !Object.hasOwn(profile.answers ?? {}, operation))
  return [
    ...rowsText(table),
    '',
    ...missing.map(
      (operation) => `Not learned: ${operation} never succeeded, so the mock answers it as the contract says.`,
    ),
    ...guesses.map(({ answer, pointer, why }) => `Guessed: ${pointer} of ${answer}: ${why}.`),
    `Likeness ${share}: ${agreeing} of ${places} places agree in a session with other data.`,
    ...shown.map(({ call, pointer, one, other }) => `  ${call}, ${pointer}: ${short(one)} there, ${short(other)} here`),
    ...(shown.length < differences.length
      ? [`  and ${differences.length - shown.length} more; --verbose lists all`]
      : []),
    `${requests} requests were sent; ${leftBehind.length} things were left behind, named conformance-… and learn-….`,
    `Wrote ${file}. Try it: countersign mock --like ${file}`,
  ].join('\n')
}

const short = (value: unknown) => (value === undefined ? 'nothing' : truncate(showHidden(JSON.stringify(value)), 60))

function rowsText(table: readonly LearnedRow[]): string[] {
  const learned = table.filter(({ seen }) => seen > 0)
  const assumed = table.filter(({ seen }) => seen === 0)
  const width = Math.max(0, ...learned.map(({ id }) => id.length))
  return [
    ...learned.map(
      ({ id, answer = '', certainty, seen }) =>
        `${id.padEnd(width)}  ${certainty.padEnd(9)}  ${String(seen).padStart(3)} x  ${truncate(showHidden(answer), 110)}`,
    ),
    ...(assumed.length > 0
      ? [`Stays assumed, since nothing was seen: ${assumed.map(({ id }) => id.slice('gap.'.length)).join(', ')}.`]
      : []),
  ]
}
