import { type RequirementId, requirement, requirementIds } from '../conformance/catalogue/catalogue.ts'
import type { RunOptions } from '../conformance/run/runner.ts'
import { safety } from '../conformance/run/safety.ts'
import type { Connection } from '../src/connect/connection.ts'
import { headerFlaw } from '../src/profile/profile.ts'
import { connectionOf } from './connection.ts'
import { UsageError } from './exit.ts'
import { hintsOf } from './input.ts'
import type { Flags } from './options.ts'
import { noteSecret, requireKey } from './secrets.ts'
import { chosenOf, httpUrl } from './values.ts'

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
    selected: selectedChecks(flags),
    requireVerified: requiredChecks(flags),
    gaps: level === 'assumed' && flags.only === undefined,
    timeoutMs: requestTimeout * 1000,
  }
  const address = flags.url ?? process.env.COUNTERSIGN_URL
  if (!address) return { ...common, ...reference, connection: {}, isReference: true }
  const given = httpUrl(address)
  // Every path starts with it.
  const url = given.replace(/\/api(\/v1)?$/, '')
  const notes =
    given === url
      ? []
      : [
          `The URL ended in ${given.slice(url.length)}, which every path of the interface starts with. The suite removed it.`,
        ]
  // The second key belongs to the deployment of the first one.
  const secondVariable = secondVariableOf(keyVariable)
  const secondKey = process.env[secondVariable] ? requireKey(url, secondVariable) : undefined
  const apiKey = requireKey(url, keyVariable)
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

/** Returns the variable with the key of a second tenant. */
export const secondVariableOf = (keyVariable: string) => `${keyVariable}_2`

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

/** Returns the checks of some ids. Throws a `UsageError` for an unknown id. */
function checksOf(ids: readonly string[], purpose = '', orAll = ''): readonly RequirementId[] {
  return chosenOf(
    ids,
    requirementIds,
    (id) => new UsageError(`There is no check '${id}'${purpose}. Use ids that --dry-run lists${orAll}.`),
  )
}

/** Returns the checks that must be verified. */
function requiredChecks({ requireVerified = [] }: RunFlags): readonly RequirementId[] {
  return requireVerified.includes('all') ? requirementIds : checksOf(requireVerified, ' to verify', ', or all')
}

/** Returns the checks that `--only`, `--skip` and `--level` select. */
function selectedChecks({ only = requirementIds, skip = [], level = 'assumed' }: RunFlags): readonly RequirementId[] {
  const [chosen, skipped] = [checksOf(only), checksOf(skip)]
  return chosen.filter((id) => !skipped.includes(id) && depth[requirement(id).provenance] <= depth[level])
}
