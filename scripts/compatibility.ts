/** A change between two contracts, as `redocly diff --format json` lists it; only what is read here. */
export interface Change {
  /** Where it is, as a JSON Pointer from the paths down. */
  readonly path: string
  readonly kind: 'added' | 'removed' | 'modified'
  /** How the version of a contract must be raised for it. */
  readonly impact: 'major' | 'minor' | 'patch'
  /** Which member of the object at the path was modified. */
  readonly property?: string
  /** Why, where a rule of Redocly's has an opinion. */
  readonly verdicts: readonly { readonly message: string }[]
  readonly base?: { readonly value?: unknown }
  readonly revision?: { readonly value?: unknown }
}

/**
 * The changes that break users, each in one sentence: what was accepted is refused or means something else, or what was
 * answered is no longer, or is something that no client had to know.
 */
export function breaking(changes: readonly Change[]): string[] {
  const sentences = changes.flatMap((change) => {
    const sentence = overlooked(change)
    if (sentence) return [sentence]
    if (change.impact !== 'major') return []
    const messages = change.verdicts.map(({ message }) => message)
    return messages.length > 0 ? messages : [`${change.path} was ${change.kind}.`]
  })
  // What several calls share is listed for each of them.
  return [...new Set(sentences)]
}

/** What Redocly takes for a patch: a request without the field now means something else, and a rule that only we know. */
function overlooked({ path, property, base, revision }: Change): string | undefined {
  if (!/\/(requestBody|parameters)\b/.test(path)) return undefined
  const isRule = property === 'x-unique-by' && revision?.value !== undefined
  if (property !== 'default' && !isRule) return undefined
  const field = path.split('/').at(-1)
  return `\`${property}\` of \`${field}\` changed from '${base?.value ?? 'none'}' to '${revision?.value ?? 'none'}'.`
}

/** Whether the version may stay as it is, and why. */
export function judgeVersion(
  breaks: readonly string[],
  before: string,
  now: string,
): { accepted: boolean; sentence: string } {
  if (breaks.length === 0) return { accepted: true, sentence: `Nothing in the contracts breaks users of ${before}.` }
  const due = nextBreaking(before)
  if (isAtLeast(now, due)) return { accepted: true, sentence: `The version says so: it was ${before} and is ${now}.` }
  return {
    accepted: false,
    sentence: `Failed to accept the contract: because it breaks users of ${before}, and the version is ${now}. Make the change compatible, or raise the version to ${due}; CONTRIBUTING.md says how.`,
  }
}

/** The version that announces a break: the next major one, or minor one before 1.0.0 (semver.org, item 4). */
function nextBreaking(version: string): string {
  const [major = 0, minor = 0] = numbersOf(version)
  return major > 0 ? `${major + 1}.0.0` : `0.${minor + 1}.0`
}

/** Whether a version is at least another. */
function isAtLeast(version: string, other: string): boolean {
  const [a, b] = [numbersOf(version), numbersOf(other)]
  const at = a.findIndex((number, index) => number !== b[index])
  return at < 0 || (a[at] ?? 0) > (b[at] ?? 0)
}

function numbersOf(version: string): number[] {
  return version.split(/[-+]/, 1)[0]?.split('.').map(Number) ?? []
}
