/** Finds the identifiers in the answers of a deployment that is sent a session, whatever their shape. */
import { followIdentifiers, type IdentifierRole, Places } from '../learning/roles.ts'
import { memberCalled, valueAt } from '../reading/locate.ts'
import { storageKeyIn } from '../reading/storage-key.ts'
import { type RunOptions, run } from '../run/runner.ts'
import { bounded } from '../session/bounds.ts'
import { type Exchange, sentJson } from '../wire/exchange.ts'
import { historyOf } from '../wire/record.ts'
import { Secrets } from '../wire/secrets.ts'
import { Target, type TargetOptions } from '../wire/target.ts'

export type DeploymentOptions = TargetOptions & Pick<RunOptions, 'profile'>

/** The kinds of identifiers in requests, by their names in answers. */
export type ThingRole = Exclude<IdentifierRole, 'execution'>

const names = {
  workflow: 'workflow_id',
  document: 'document_id',
  session: 'session_id',
  key: 'key',
  uploadUrl: 'upload_url',
} as const satisfies Readonly<Record<ThingRole, string>>

/** The result of a discovery, and its cost. */
interface Discovered {
  readonly places: Places
  readonly sent: number
  readonly leftBehind: readonly string[]
}

/** A deployment that is sent a session. */
export class Deployment {
  readonly target: Target
  readonly secrets: Secrets
  readonly #options: DeploymentOptions
  /** The places of its identifiers, once they were looked for. */
  discovered: Discovered | undefined

  constructor(options: DeploymentOptions) {
    this.#options = options
    const all = { ...options, headers: { ...options.profile?.headers, ...options.headers } }
    this.target = new Target(all)
    this.secrets = new Secrets(all, this.target.transport)
  }

  /** The things that were created. */
  get leftBehind(): string[] {
    return [...this.target.leftBehind, ...(this.discovered?.leftBehind ?? [])]
  }

  /** Finds out in which places it shows its identifiers. Throws `Undecided` if nothing answers. */
  async discover(): Promise<Discovered> {
    this.discovered = await discoverPlaces(this.#options)
    return this.discovered
  }

  /** Returns an identifier in an answer: where the profile says, where such identifiers were found, or with its documented name. */
  identifierIn(role: ThingRole, answer: Exchange): string | number | undefined {
    const name = names[role]
    const pointer = this.#options.profile?.locators?.[name]
    const located = pointer === undefined ? undefined : scalar(valueAt(answer.json, pointer))
    if (located !== undefined) return located
    if (role !== 'key')
      return this.discovered?.places.guess(role, answer) ?? scalar(memberCalled(answer.json, name)?.value)
    const url = this.identifierIn('uploadUrl', answer)
    const fileName = String(valueAt(sentJson(answer), '/file_name') ?? '')
    if (typeof url !== 'string' || !URL.canParse(url)) return undefined
    return scalar(storageKeyIn(answer.json, url, fileName)?.value)
  }
}

/**
 * Finds out in which places a deployment shows its identifiers: takes the steps of the suite that use them, and follows what
 * was accepted. Throws `Undecided` if nothing answers.
 */
export async function discoverPlaces(options: RunOptions): Promise<Discovered> {
  const selects: RunOptions['selects'] = (id) =>
    id === 'flow.document-id-refers-to-upload' || id === 'workflow.ids-differ'
  const result = await run({ ...options, selects, gaps: false, tries: 1 })
  const places = new Places()
  const answered = historyOf(result).log.flatMap((entry) => ('status' in entry ? [entry] : []))
  followIdentifiers(
    answered.map((exchange, at) => bounded({ ...exchange, at })),
    places,
  )
  return { places, sent: result.requests.sent, leftBehind: result.leftBehind }
}

function scalar(value: unknown): string | number | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}
