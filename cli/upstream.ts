import { safety } from '../conformance/run/safety.ts'
import { operations, type ServiceOperationId } from '../src/contract/operations.ts'
import type { PassOn } from '../src/http/handle-request.ts'
import { passOnTo } from '../src/node/upstream.ts'
import type { Profile } from '../src/profile/profile.ts'
import { connect, connectionOf } from './connection.ts'
import { UsageError } from './exit.ts'
import type { Flags } from './options.ts'
import { requireKey } from './secrets.ts'
import { chosenOf } from './values.ts'

/** The flags for passing calls on. */
export interface UpstreamFlags extends Flags<'mock'> {
  readonly upstream: string
}

/** Returns what passes calls on. Throws a `UsageError` if that is not safe, which never contains the key. */
export async function upstreamOf(flags: UpstreamFlags, like?: Profile): Promise<PassOn> {
  const { upstream: url, upstreamCalls = [], upstreamTenants = [], host } = flags
  if (!/^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host)) {
    throw new UsageError('Other machines could use the key of --upstream through the mock. Leave out --host.')
  }
  const apiKey = requireKey(url, 'COUNTERSIGN_API_KEY')
  if (safety({ url, apiKey }).flaw) {
    throw new UsageError(
      'The key of --upstream has no test-mode prefix, and callers of the mock use it. Use a test key.',
    )
  }
  const known = Object.keys(operations).filter((id) => id !== 'putObject') as ServiceOperationId[]
  const unknownCall = (name: string) =>
    new UsageError(`There is no call '${name}' to pass on. Use one or more of ${known.join(',')}.`)
  const options = {
    url,
    apiKey,
    fetch: await connect(url, await connectionOf(flags)),
    calls: chosenOf(upstreamCalls.filter(Boolean), known, unknownCall),
    tenants: upstreamTenants.filter(Boolean),
  }
  return passOnTo(options, like)
}
