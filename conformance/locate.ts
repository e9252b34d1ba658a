/** A value in an answer, and the JSON Pointer (RFC 6901) to it. */
export interface Located {
  readonly pointer: string
  readonly name: string
  readonly value: unknown
}

/** Every member of an answer, at every depth, the outermost first. */
export function membersOf(json: unknown): Located[] {
  const found: Located[] = []
  let level: Located[] = [{ pointer: '', name: '', value: json }]
  while (level.length > 0 && found.length < maxMembers) {
    level = level.flatMap(({ pointer, name: parent, value }) => {
      if (value === null || typeof value !== 'object') return []
      return Object.entries(value).map(([name, value]) => ({
        pointer: `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        name: Array.isArray(value) ? name : /^\d+$/.test(name) ? parent : name,
        value,
      }))
    })
    found.push(...level)
  }
  return found
}

/** As much of a hostile answer as is looked at. */
const maxMembers = 10_000

/** A name without regard to case, hyphens and underscores. */
export function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** The first member with one of these names, the best name first; in any case and any envelope. */
export function findNamed(json: unknown, ...names: readonly string[]): Located | undefined {
  const members = membersOf(json)
  for (const name of names) {
    const found = members.find((member) => bare(member.name) === bare(name))
    if (found) return found
  }
  return undefined
}

/** Values that may identify something of this kind, the likeliest first: `workflow_id`, then `id`, then `uuid` and such. */
export function identifierCandidates(json: unknown, kind: string): Located[] {
  const members = membersOf(json).filter(({ value }) => isIdentifier(value))
  const ranks = [`${kind}id`, `${kind}uuid`, `${kind}key`, 'id', 'uuid', 'guid', kind, 'key', 'ref', 'reference']
  const rank = ({ name }: Located) => ranks.indexOf(bare(name))
  return members.filter((member) => rank(member) >= 0).sort((a, b) => rank(a) - rank(b))
}

/** The last segment of a `Location`, where a created resource is named only there. */
export function identifierInLocation(headers: Headers): Located | undefined {
  const location = headers.get('Location')
  const last = location?.split(/[?#]/)[0]?.split('/').filter(Boolean).at(-1)
  return last ? { pointer: 'Location', name: 'Location', value: decodeURIComponent(last) } : undefined
}

function isIdentifier(value: unknown): boolean {
  return (typeof value === 'string' && value.length > 0 && value.length <= 300) || Number.isSafeInteger(value)
}
