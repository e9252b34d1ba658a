import { Command, Option } from 'commander'
import { writeWhole } from '../../conformance/report/write-whole.ts'
import type { Connection } from '../connect/connection.ts'
import { type ConnectionFlags, connect, connectionOf, cureFor } from './connection.ts'
import { exit, UsageError } from './exit.ts'
import { type InputKind, readBounded, readInput } from './input-file.ts'
import { addConnectionOptions, httpUrl, wrapped } from './options.ts'
import { requireSendable } from './secrets.ts'

interface TenantFlags extends ConnectionFlags {
  readonly url: string
  readonly adminToken?: string
}

const help = `
A tenant is everything that the mock has of one API key. Set that key in COUNTERSIGN_API_KEY. The file has all events and the
contents of the objects in memory, but neither the key nor a signing secret. What is imported belongs to the key that imports it,
which must not have any events yet.

Environment: COUNTERSIGN_API_KEY, COUNTERSIGN_ADMIN_TOKEN.
Exit codes: 0 done, 3 bad usage or a refused file, 4 the mock cannot be reached.`

/** Creates `countersign tenant`, which exports and imports what a running mock has of a key. */
export function tenantCommand(done: (code: number) => void): Command {
  const exportCommand = new Command('export')
    .description('Write a tenant of a running mock to a file.')
    .argument('[file]', 'file to write (default: standard output)')
    .action(async (file: string | undefined, flags: TenantFlags) => {
      const text = await send(flags, 'GET', 'export')
      if (file === undefined) process.stdout.write(text)
      else await writeWhole(file, text).catch(unwritable)
      const { events, objects } = JSON.parse(text)
      process.stderr.write(`Exported ${events.length} events and ${Object.keys(objects).length} objects.\n`)
      done(exit.ok)
    })
  const importCommand = new Command('import')
    .description('Import a tenant from a file into a running mock.')
    .argument('[file]', 'file to read (default: standard input)')
    .action(async (file: string | undefined, flags: TenantFlags) => {
      const bytes =
        file === undefined
          ? await readBounded(process.stdin, 'of standard input', tenantFile)
          : await readInput(file, tenantFile)
      const { name, last_event: events } = JSON.parse(await send(flags, 'POST', 'import', bytes))
      process.stderr.write(`Imported ${events} events into tenant ${name}.\n`)
      done(exit.ok)
    })
  const command = new Command('tenant').description('Export or import what a running mock has of an API key.')
  for (const one of [exportCommand, importCommand]) {
    addConnectionOptions(one)
      .addOption(new Option('--url <url>', 'URL of the mock').argParser(httpUrl).default('http://127.0.0.1:4010'))
      .addOption(
        new Option('--admin-token <token>', 'admin token that the mock was started with').env(
          'COUNTERSIGN_ADMIN_TOKEN',
        ),
      )
      .addHelpText('after', wrapped(help))
    command.addCommand(one)
  }
  return command
}

/** Calls the mock and returns the answer. Throws a `UsageError` if the mock refuses the call. */
async function send(
  { url, adminToken, ...flags }: TenantFlags,
  method: string,
  call: string,
  body?: Uint8Array,
): Promise<string> {
  const key = process.env.COUNTERSIGN_API_KEY
  if (!key) throw new UsageError('There is no API key. Set the key of the tenant in COUNTERSIGN_API_KEY.')
  const headers = {
    Authorization: requireSendable('COUNTERSIGN_API_KEY', key),
    ...(adminToken !== undefined && { 'X-Admin-Token': requireSendable('The admin token', adminToken) }),
    ...(body && { 'Content-Type': 'application/json' }),
  }
  const init = { method, headers, redirect: 'error', ...(body && { body: new Uint8Array(body) }) } as const
  const connection = await connectionOf(flags)
  const request = new Request(`${url}/__admin/tenants/${call}`, init)
  const response = await (await connect(url, connection))(request).catch(unreachable(url, connection))
  const text = await response.text()
  if (response.ok) return text
  throw new UsageError(detailIn(text) ?? `${url} answers ${response.status}. Name the URL of a mock with --url.`)
}

function unreachable(url: string, connection: Connection): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Error)) throw error
    const { code = error.message } = (error.cause ?? {}) as { readonly code?: string }
    throw new Error(
      `${url} cannot be reached (${code}). ${code === 'ECONNREFUSED' ? startIt : cureFor(code, url, connection)}`,
    )
  }
}

const startIt = 'Start the mock with countersign mock, or name its URL with --url.'

/** Returns the message of a problem, or undefined if the text is none of the mock. */
function detailIn(text: string): string | undefined {
  try {
    const { type, detail } = JSON.parse(text)
    return String(type).startsWith('urn:countersign:') ? detail : undefined
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}

function unwritable(error: unknown): never {
  const why = error instanceof Error ? error.message : String(error)
  throw new UsageError(`The file cannot be written: ${why}. Name another file.`)
}

const tenantFile: InputKind = { what: 'The tenant', advice: 'Name a file that countersign tenant export has written.' }
