import type { Upload } from '../../domain/uploads/upload.ts'
import type { IdentifierName } from '../../profile/profile.ts'
import type { Style } from '../../profile/style.ts'
import type { Facts } from '../../profile/template.ts'
import type { World } from '../../world/world.ts'
import { type Identifiers, type KeyParts, ownIdentifiers } from '../service/identifiers.ts'
import { seededRandom } from './seeded-random.ts'

/** The number of times that an identifier is drawn again if it is taken. */
const mostDraws = 20

/** Returns true for names that can be a segment of a path as they are. */
const isSegment = (name: string) => /^[\w.~-]+$/.test(name) && /\w/.test(name)

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Makes identifiers in the style of a deployment; where the profile does not say how, the mock's own. */
export class DeploymentIdentifiers implements Identifiers {
  readonly #style: Style
  readonly #early: ReadonlyMap<string, string>
  /** Identifiers that count go on across tenants, as in a database. */
  #count = 0
  /** The names of tenants in keys, and the tenants by these names. */
  readonly #tenantNames = new Map<string, string>()
  readonly #named = new Set<string>()

  /** `early` has the documents that were shown before they were stored, by session. */
  constructor(style: Style, early: ReadonlyMap<string, string>) {
    this.#style = style
    this.#early = early
  }

  workflow(world: World): string {
    return this.#make('workflow', world, {}, (id) => world.hasWorkflow(id)) ?? ownIdentifiers.workflow(world)
  }

  execution(world: World): string {
    return this.#make('execution', world, {}, (id) => world.hasExecution(id)) ?? ownIdentifiers.execution(world)
  }

  session(world: World): string {
    const id = this.#make('session', world, {}, () => false)?.toLowerCase()
    return id !== undefined && uuid.test(id) ? id : ownIdentifiers.session(world)
  }

  key(world: World, parts: KeyParts): string {
    const start = `tenants/${this.#tenantName(world)}/`
    const facts = { session_id: parts.sessionId, request: { file_name: parts.fileName } }
    const made = this.#make('key', world, facts, (id) => world.uploadByKey(start + id) !== undefined)
    if (made?.endsWith(parts.fileName)) return start + made
    return start + ownIdentifiers.key(world, parts).slice(`tenants/${world.tenantId}/`.length)
  }

  document(world: World, upload: Upload): string {
    const early = this.#early.get(upload.sessionId)
    if (early !== undefined) return early
    const { sessionId: session_id, key, request } = upload
    const facts = { session_id, key, request }
    return this.#make('document', world, facts, () => false) ?? ownIdentifiers.document(world, upload)
  }

  /** Returns the name of a tenant in keys. It is drawn from the tenant, and no two tenants share one. */
  #tenantName({ tenantId, clock }: World): string {
    const known = this.#tenantNames.get(tenantId)
    if (known !== undefined) return known
    const now = new Date(clock.now()).toISOString()
    const names = Array.from({ length: mostDraws }, (_, time) => {
      const facts = { now, count: this.#named.size + time }
      return this.#style.identifier('tenant', facts, seededRandom(`${tenantId} ${time}`))
    })
    const name = names.find((one) => one !== undefined && isSegment(one) && !this.#named.has(one)) ?? tenantId
    this.#named.add(name)
    this.#tenantNames.set(tenantId, name)
    return name
  }

  #make(
    name: IdentifierName,
    world: World,
    facts: Partial<Facts>,
    isTaken: (id: string) => boolean,
  ): string | undefined {
    const random = { draw: () => () => world.random.draw() }
    const now = new Date(world.clock.now()).toISOString()
    for (let draws = 0; draws < mostDraws; draws += 1) {
      // After a restart, the journal says how many there were.
      const count = Math.max(this.#count, world.journal.length)
      this.#count = count + 1
      const id = this.#style.identifier(name, { now, ...facts, count }, random)
      if (id === undefined || !isTaken(id)) return id
    }
    return undefined
  }
}
