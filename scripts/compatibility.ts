/** A change between two contracts, as `redocly diff --format json` lists it. Only the members that we read. */
export interface Change {
  /** JSON Pointer to the place that changed. */
  readonly path: string
  readonly kind: 'added' | 'removed' | 'modified'
  /** The part of the version that this change must raise. */
  readonly impact: 'major' | 'minor' | 'patch'
  /** The modified member of the object at `path`. */
  readonly property?: string
  /** The findings of Redocly's rules, if any apply. */
  readonly verdicts: readonly { readonly message: string }[]
  readonly base?: { readonly value?: unknown }
  readonly revision?: { readonly value?: unknown }
}

/**
 * Describes each change in a sentence. Those that break users: a request that was accepted is refused or has another meaning, a part of an
 * answer is gone, or an answer has a value that clients did not have to know. And those that users need not follow: what is new, and what
 * has other words.
 */
export function describeChanges(changes: readonly Change[]): { breaks: string[]; others: string[] } {
  // A change in a shared schema is listed once for each call that uses it.
  const [breaks, others] = [new Set<string>(), new Set<string>()]
  for (const change of changes) {
    const { path, kind, property, impact, verdicts } = change
    const overlooked = describeOverlookedBreak(change)
    if (overlooked) breaks.add(overlooked)
    else if (impact !== 'major')
      others.add(`\`${path}\` was ${kind === 'modified' ? 'changed' : kind}${property ? ` (\`${property}\`)` : ''}.`)
    else if (verdicts.length === 0) breaks.add(`${path} was ${kind}.`)
    else for (const { message } of verdicts) breaks.add(message)
  }
  return { breaks: [...breaks], others: [...others] }
}

/**
 * Describes the two breaks that Redocly rates as patches: a changed default, which gives requests without the field another
 * meaning, and `x-unique-by`, which is our own keyword.
 */
function describeOverlookedBreak({ path, property, base, revision }: Change): string | undefined {
  if (!/\/(requestBody|parameters)\b/.test(path)) return undefined
  const isRule = property === 'x-unique-by' && revision?.value !== undefined
  if (property !== 'default' && !isRule) return undefined
  const field = path.split('/').at(-1)
  return `\`${property}\` of \`${field}\` changed from '${base?.value ?? 'none'}' to '${revision?.value ?? 'none'}'.`
}

/** Decides whether the version announces the breaks, and says why in a sentence. */
export function judgeVersion(
  breaks: readonly string[],
  before: string,
  now: string,
): { accepted: boolean; sentence: string } {
  if (breaks.length === 0) return { accepted: true, sentence: `The contracts are compatible with ${before}.` }
  const due = nextBreaking(before)
  if (now.split(/[-+]/, 1)[0]?.localeCompare(due, 'en', { numeric: true }) !== -1)
    return { accepted: true, sentence: `The version announces the break: it was ${before} and is ${now}.` }
  return {
    accepted: false,
    sentence: `The contract breaks users of ${before}, but the version is ${now}. Make the change compatible, or raise the version to ${due} (see CONTRIBUTING.md).`,
  }
}

/** Returns the version that announces a break: the next major, or the next minor before 1.0.0 (semver.org, item 4). */
function nextBreaking(version: string): string {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 0 ? `${major + 1}.0.0` : `0.${minor + 1}.0`
}
