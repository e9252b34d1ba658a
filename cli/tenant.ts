import { writeWhole } from '../conformance/report/write-whole.ts'
import { reasonOf } from '../src/node/journal/errors.ts'
import { connect, connectionOf, unreachableError } from './connection.ts'
import { exit, UsageError } from './exit.ts'
import { type InputKind, jsonObjectIn, readBounded, readInput } from './input.ts'
import type { Flags } from './options.ts'
import { requireSendable } from './secrets.ts'

type TenantFlags = Flags<'tenant export'>

/** Writes a tenant of a running mock to a file, or to standard output, and returns the exit code. */
export async function exportToFile(flags: TenantFlags, [file]: readonly string[]): Promise<number> {
  const text = await send(flags, 'GET', 'export')
  if (file === undefined) process.stdout.write(text)
  else await writeWhole(file, text).catch(unwritable)
  const { events, objects } = JSON.parse(text)
  process.stderr.write(`Exported ${events.length} events and ${Object.keys(objects).length} objects.\n`)
  return exit.ok
}

/** Imports a tenant from a file, or from standard input, into a running mock, and returns the exit code. */
export async function importFromFile(flags: TenantFlags, [file]: readonly string[]): Promise<number> {
  const bytes =
    file === undefined
      ? await readBounded(process.stdin, 'of standard input', tenantFile)
      : await readInput(file, tenantFile)
  const { name, last_event: events } = JSON.parse(await send(flags, 'POST', 'import', bytes))
  process.stderr.write(`Imported ${events} events into tenant ${name}.\n`)
  return exit.ok
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
  const fetch = await connect(url, connection)
  const response = await fetch(request).catch((error: Error & { readonly cause?: { readonly code?: string } }) => {
    const code = error.cause?.code ?? error.message
    if (code !== 'ECONNREFUSED') throw unreachableError(url, code, connection)
    throw new Error(
      `${url} cannot be reached (${code}). Start the mock with countersign mock, or name its URL with --url.`,
    )
  })
  const text = await response.text()
  if (response.ok) return text
  const { type, detail } = jsonObjectIn(text)
  throw new UsageError(
    String(type).startsWith('urn:countersign:')
      ? String(detail)
      : `${url} answers ${response.status}. Name the URL of a mock with --url.`,
  )
}

function unwritable(error: unknown): never {
  throw new UsageError(`The file cannot be written: ${reasonOf(error)}. Name another file.`)
}

const tenantFile: InputKind = { what: 'The tenant', advice: 'Name a file that countersign tenant export has written.' }
