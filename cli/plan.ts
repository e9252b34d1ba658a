import { type RequirementId, requirement, requirementIds } from '../conformance/catalogue/catalogue.ts'
import type { RunOptions } from '../conformance/run/runner.ts'
import { safety } from '../conformance/run/safety.ts'
import type { Connection } from '../src/connect/connection.ts'
import { headerFlaw } from '../src/profile/profile.ts'
import { connectionOf } from './connection.ts'
import { UsageError } from './exit.ts'
import { hintsOf } from './input.ts'
import type { Flags } from './options.ts'
import { noteSecret, requireSendable } from './secrets.ts'
import { httpUrl } from './values.ts'

/** The flags that select the checks and the deployment of a run. */
export type RunFlags = Partial<Flags<'conformance'>>

/** The variables with the key of a deployment; with `_2`, that of a second tenant. */
export type KeyVariable = 'COUNTERSIGN_API_KEY' | 'COUNTERSIGN_API_KEY_B'

/** The options of a run, in a form that can be passed to another thread. */
export interface RunPlan
  extends Omit<RunOptions, 'selects' | 'fetch' | 'signal' | 'onBegin' | 'onProgress' | 'onResult' | 'time'> {
  /** The checks to run. */
  readonly selected: readonly RequirementId[]
  /** The settings for connections. */
  readonly connection: Connection
  /** True if the run checks the built-in reference instead of a deployment. */
  readonly isReference: boolean
}

/** Creates the run plan from the flags and the environment. Throws a `UsageError` that never contains a key. */
export async function runPlan(flags: RunFlags, keyVariable: KeyVariable = 'COUNTERSIGN_API_KEY'): Promise<RunPlan> {
  const { settle, level = 'assumed', requestTimeout = 10 } = flags
  const profile = await hintsOf(flags)
  const { headers: _, ...others } = profile
  const common = {
    profile: { ...others, ...(settle !== undefined && { settleSeconds: settle }) },
    selected: requirementIds.filter(selectionOf(flags)),
    requireVerified: requiredChecks(flags),
    gaps: level === 'assumed' && flags.only === undefined,
    timeoutMs: requestTimeout * 1000,
  }
  const address = flags.url ?? process.env.COUNTERSIGN_URL
  if (!address) return { ...common, ...reference, connection: {}, isReference: true }
  const { url, notes } = baseAddress(httpUrl(address))
  const apiKey = keyOf(keyVariable)
  // The second key belongs to the deployment of the first one.
  const secondVariable = secondVariableOf(keyVariable)
  const secondKey = keyOf(secondVariable)
  if (!apiKey) throw new UsageError(`No API key is set for ${url}. Set it in ${keyVariable}.`)
  if (secondKey === apiKey) {
    throw new UsageError(`${secondVariable} has the same key as ${keyVariable}. Use a key of another tenant.`)
  }
  const headers = { ...resolveHeaders(profile.headers ?? {}), ...resolveHeaders(headersOf(flags.header ?? [])) }
  const { rateLimit, allowLiveKey = false } = flags
  const { flaw, ...pace } = safety({
    url,
    apiKey,
    profile,
    allowLiveKey,
    ...(rateLimit !== undefined && { perSecond: rateLimit }),
  })
  if (flaw) throw new UsageError(`${flaw} add --allow-live-key.`)
  const connection = await connectionOf(flags)
  if (connection.isInsecure)
    notes.push('Warning: certificates were not checked (--insecure), so the answers may come from another server.')
  return {
    ...common,
    connection,
    isReference: false,
    url,
    apiKey,
    headers,
    notes,
    ...(secondKey && { secondKey }),
    ...pace,
  }
}

/**
 * The built-in reference. `.invalid` resolves to no host (RFC 6761), so no request can leave the process. The keys have no words:
 * an answer with a word of the key, in any encoding, such as base64 of a path, would seem to repeat the key.
 */
const reference = { url: 'http://reference.invalid', apiKey: 'test_m4vk81rs6y', secondKey: 'test_7xq4zk92vd' }

/** Removes `/api` or `/api/v1` from the end of a base URL, since every path starts with it. */
function baseAddress(url: string): { url: string; notes: string[] } {
  const stripped = url.replace(/\/api(\/v1)?$/, '')
  return stripped === url
    ? { url, notes: [] }
    : {
        url: stripped,
        notes: [
          `The URL ended in ${url.slice(stripped.length)}, which every path of the interface starts with. The suite removed it.`,
        ],
      }
}

/** Returns the variable with the key of a second tenant. */
export const secondVariableOf = (keyVariable: string) => `${keyVariable}_2`

function keyOf(name: string): string | undefined {
  const key = process.env[name]
  return key ? requireSendable(name, key) : undefined
}

/** Parses the headers of the command line. */
function headersOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      const [name, value] = [line.slice(0, colon), line.slice(colon + 1)]
      if (colon < 1) throw new UsageError("A header has no name and colon. Write it as 'Name: value', in quotes.")
      return [name.trim(), value.trim()]
    }),
  )
}

/** Replaces `env:NAME` values by the variables that they name. Throws a `UsageError` that never contains a value. */
function resolveHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, text]) => {
      const variable = text.startsWith('env:') ? text.slice(4) : undefined
      const value = variable === undefined ? text : process.env[variable]
      if (value === undefined || value === '') {
        throw new UsageError(`The header ${name} takes its value from ${variable}, which is not set. Set it.`)
      }
      noteSecret(value)
      const flaw = headerFlaw(name, value)
      if (flaw) throw new UsageError(`A header cannot be sent: ${flaw}. Correct it, or leave it out.`)
      return [name, value]
    }),
  )
}

const depth = { documented: 0, inherited: 1, assumed: 2 }

/** Returns the checks that must be verified. Throws a `UsageError` for an unknown id. */
function requiredChecks({ requireVerified = [] }: RunFlags): readonly RequirementId[] {
  if (requireVerified.includes('all')) return requirementIds
  const unknown = requireVerified.find((id) => !requirementIds.some((known) => known === id))
  if (unknown !== undefined) {
    throw new UsageError(`There is no check '${unknown}' to verify. Use ids that --dry-run lists, or all.`)
  }
  return requirementIds.filter((id) => requireVerified.includes(id))
}

/** Returns a function that selects checks by `--only`, `--skip` and `--level`. Throws a `UsageError` for an unknown id. */
function selectionOf({ only, skip = [], level = 'assumed' }: RunFlags): (id: RequirementId) => boolean {
  const known: readonly string[] = requirementIds
  const unknown = [...(only ?? []), ...skip].find((id) => !known.includes(id))
  if (unknown !== undefined) {
    throw new UsageError(`There is no check '${unknown}'. Use ids that --dry-run lists.`)
  }
  return (id) => (only?.includes(id) ?? true) && !skip.includes(id) && depth[requirement(id).provenance] <= depth[level]
}
