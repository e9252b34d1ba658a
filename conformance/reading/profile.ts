import schema from './profile.schema.json' with { type: 'json' }

/** Hints for values that discovery does not find on a deployment, or finds at a wrong place. */
export interface Profile {
  /** The places of values: JSON Pointers (RFC 6901) into the answers named in the schema. */
  readonly locators?: Partial<Record<LocatorName, string>>
  /** The seconds that a deployment may take to show a change. @default 10 */
  readonly settleSeconds?: number
  /** Regular expression that the deployment's test-mode keys match. */
  readonly testKeyPattern?: string
  /**
   * Headers that every call of the service carries beside its own, and no call of storage. On the command line, a value of
   * `env:NAME` is taken from the environment.
   */
  readonly headers?: Readonly<Record<string, string>>
}

/** Headers that the suite sets itself, or that belong to the connection. */
const ownHeaders =
  'authorization content-type content-length host connection transfer-encoding expect upgrade cookie2'.split(' ')

/** Says what is wrong with a header in one sentence that never repeats its value, if anything is. */
export function headerFlaw(name: string, value: string): string | undefined {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
    return 'the name of a header has other characters than letters, digits and hyphens'
  if (ownHeaders.includes(name.toLowerCase())) return `the header ${name} is set by the suite itself`
  if (!/^[\x20-\x7e]+$/.test(value)) return `the header ${name} has no value, or characters outside ASCII in it`
  return undefined
}

/** What is found without a locator on most deployments, under the names of findings; `*` stands for every item of a list. */
export type ShownName =
  | 'workflow.name'
  | 'workflow.description'
  | 'workflow.isSequential'
  | 'workflow.steps'
  | `upload.${'file_name' | 'content_type'}`
  | `confirmation.${'session_id' | 'key' | 'file_name' | 'sha256'}`
  | `execution.${'execution_id' | 'workflow_id' | 'document_id' | 'submitter_email' | 'execution_mode' | 'priority'}`
  | 'executions-started'

export type LocatorName =
  | ShownName
  | 'workflow_id'
  | 'upload_url'
  | 'session_id'
  | 'key'
  | 'document_id'
  | 'execution_metrics'
  | 'step_performance'
  | 'optimization_recommendations'
  | 'bottlenecks'
  | 'success_rate'
  | 'completion_time'

const locatorSchemas: Readonly<Record<LocatorName, object>> = schema.properties.locators.properties

/** Parses a profile. `flaw` describes the first mistake in it. */
export function readProfile(text: string): { profile: Profile; flaw?: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { profile: {}, flaw: `it is not JSON (${error instanceof Error ? error.message : 'unknown'})` }
  }
  const flaw = flawOf(value)
  return flaw === undefined ? { profile: value as Profile } : { profile: {}, flaw }
}

/** Describes the first mistake in a profile. A test compares these rules with the schema. */
function flawOf(value: unknown): string | undefined {
  if (!isObject(value)) return 'it is not an object'
  const { locators = {}, settleSeconds = 10, testKeyPattern = '', headers = {} } = value
  const unknown = unknownIn(value, schema.properties)
  if (unknown) return unknown
  if (typeof settleSeconds !== 'number' || settleSeconds < 0 || settleSeconds > 300) {
    return 'settleSeconds is not a number from 0 to 300'
  }
  if (typeof testKeyPattern !== 'string' || !isPattern(testKeyPattern))
    return 'testKeyPattern is not a regular expression'
  if (!isObject(headers)) return 'headers is not an object'
  for (const [name, text] of Object.entries(headers)) {
    const flaw = typeof text === 'string' ? headerFlaw(name, text) : `the header ${name.slice(0, 60)} is no text`
    if (flaw) return `in headers ${flaw}`
  }
  if (!isObject(locators)) return 'locators is not an object'
  const unknownLocator = unknownIn(locators, locatorSchemas)
  if (unknownLocator) return `in locators ${unknownLocator}`
  const wrong = Object.entries(locators).find(
    ([, pointer]) => typeof pointer !== 'string' || !/^(\/([^~]|~[01])*)?$/.test(pointer),
  )
  return wrong ? `locators.${wrong[0]} is not a JSON Pointer, which begins with a slash` : undefined
}

function unknownIn(value: object, known: object): string | undefined {
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(known, name))
  return unknown === undefined
    ? undefined
    : `the field '${unknown.slice(0, 60)}' is unknown, use only ${Object.keys(known).join(', ')}`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function isPattern(text: string): boolean {
  try {
    return Boolean(new RegExp(text))
  } catch {
    return false
  }
}
