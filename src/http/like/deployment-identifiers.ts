import type { IdentifierName } from '../../profile/profile.ts'
import type { Style } from '../../profile/style.ts'
import type { Facts } from '../../profile/template.ts'
import type { World } from '../../world/world.ts'
import { type Identifiers, ownIdentifiers } from '../service/identifiers.ts'
import { seededRandom } from './seeded-random.ts'

/** The number of times that an identifier is drawn again if it is taken. */
const mostDraws = 20

/** Returns true for names that can be a segment of a path as they are. */
const isSegment = (name: string) => /^[\w.~-]+$/.test(name) && /\w/.test(name)

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/**
 * Makes identifiers in the style of a deployment; where the profile does not say how, the mock's own. `early` returns the document of a
 * session if it was shown before it was stored.
 */
export function deploymentIdentifiers(style: Style, early: (sessionId: string) => string | undefined): Identifiers {
  const nameOf = tenantNames(style)
  /** Identifiers that count go on across tenants, as in a database. */
  let counted = 0
  const make = (
    name: IdentifierName,
    world: World,
    facts: Partial<Facts> = {},
    isTaken: (id: string) => boolean = () => false,
  ): string | undefined => {
    const random = { draw: () => () => world.random.draw() }
    const now = new Date(world.clock.now()).toISOString()
    for (let draws = 0; draws < mostDraws; draws += 1) {
      // After a restart, the journal says how many there were.
      const count = Math.max(counted, world.journal.length)
      counted = count + 1
      const id = style.identifier(name, { now, ...facts, count }, random)
      if (id === undefined || !isTaken(id)) return id
    }
    return undefined
  }
  return {
    workflow: (world) => make('workflow', world, {}, (id) => world.hasWorkflow(id)) ?? ownIdentifiers.workflow(world),
    execution: (world) =>
      make('execution', world, {}, (id) => world.hasExecution(id)) ?? ownIdentifiers.execution(world),
    session(world) {
      const id = make('session', world)?.toLowerCase() ?? ''
      return uuid.test(id) ? id : ownIdentifiers.session(world)
    },
    key(world, parts) {
      const start = `tenants/${nameOf(world)}/`
      const facts = { session_id: parts.sessionId, request: { file_name: parts.fileName } }
      const made = make('key', world, facts, (id) => world.uploadByKey(start + id) !== undefined)
      if (made?.endsWith(parts.fileName)) return start + made
      return start + ownIdentifiers.key(world, parts).slice(`tenants/${world.tenantId}/`.length)
    },
    document(world, upload) {
      const { sessionId: session_id, key, request } = upload
      return (
        early(session_id) ??
        make('document', world, { session_id, key, request }) ??
        ownIdentifiers.document(world, upload)
      )
    },
  }
}

/** Returns what names tenants in keys. A name is drawn from the tenant, and no two tenants share one. */
function tenantNames(style: Style): (world: World) => string {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  return ({ tenantId, clock }) => {
    const known = names.get(tenantId)
    if (known !== undefined) return known
    const now = new Date(clock.now()).toISOString()
    const drawn = Array.from({ length: mostDraws }, (_, time) =>
      style.identifier('tenant', { now, count: taken.size + time }, seededRandom(`${tenantId} ${time}`)),
    )
    const name = drawn.find((one) => one !== undefined && isSegment(one) && !taken.has(one)) ?? tenantId
    taken.add(name)
    names.set(tenantId, name)
    return name
  }
}
