/** Answers as a profile describes a deployment; what the calls do stays with the service. */
import { sandbox } from '../../contract/http.ts'
import { factsOfCall } from '../../profile/facts.ts'
import type { Profile } from '../../profile/profile.ts'
import { otherSize, refusedOptions, stricterViolations } from '../../profile/strictness.ts'
import { type RenderedAnswer, Style } from '../../profile/style.ts'
import type { Facts, RandomSource } from '../../profile/template.ts'
import { writeTime } from '../../profile/template.ts'
import { isAccepted, repairBody } from '../../profile/tolerance.ts'
import type { Identifiers } from '../service/identifiers.ts'
import type { Delays, Deployment } from '../wire/deployment.ts'
import {
  type Context,
  type Incoming,
  type Outgoing,
  publicUrlOf,
  type StoredObject,
  textOf,
  WrittenJson,
  withText,
} from '../wire/exchange.ts'
import { Problem } from '../wire/problem.ts'
import { deploymentIdentifiers } from './deployment-identifiers.ts'
import { seededRandom } from './seeded-random.ts'
import { type UploadAddresses, uploadAddresses } from './upload-addresses.ts'

/** The most sessions of uploads that are remembered, for what only some deployments show. */
const mostRemembered = 10_000

interface Session {
  /** The document, if it was shown before it was stored. */
  early?: string | undefined
  /** Size and digests of what was stored. */
  object?: StoredObject
  isConfirmed?: boolean
}

export interface LikeOptions {
  /** True to keep the storage address of each upload URL in memory instead of encoding it in the URL. */
  readonly remembers: boolean
  /** Returns the address of storage for the client of a request. */
  readonly storageUrl: (incoming: Incoming) => string
}

/** Renders answers like those of a deployment. */
export class Like implements Deployment {
  readonly identifiers: Identifiers
  readonly needsMd5: boolean
  readonly needsSha256: boolean
  /** True if the profile was learned from answers, with all of their headers. */
  readonly isLearned: boolean
  readonly accepts: Deployment['accepts']
  readonly refuses: Deployment['refuses']
  readonly acceptsViolation: Deployment['acceptsViolation']
  readonly repair = repairBody
  readonly stricter: Deployment['stricter']
  readonly delays: Delays
  readonly listsWorkflows: boolean
  readonly executionPaths: readonly string[]
  readonly #style: Style
  readonly #addresses: UploadAddresses
  readonly #basePath: string
  readonly #random: RandomSource
  readonly #storageUrl: LikeOptions['storageUrl']
  /** Rendered details, as long as the contract's are cached. */
  readonly #prepared = new WeakMap<WrittenJson, { base: string; render: (facts: Facts) => Outgoing | undefined }>()
  readonly #sessions = new Map<string, Session>()

  constructor(profile: Profile, seed: string, { remembers, storageUrl }: LikeOptions) {
    this.#storageUrl = storageUrl
    this.#style = new Style(profile)
    this.#basePath = profile.basePath ?? ''
    this.listsWorkflows = this.#style.knows('listWorkflows')
    this.executionPaths = profile.executionPaths ?? []
    this.needsMd5 = this.#style.needsMd5
    this.needsSha256 = this.#style.needsSha256
    this.#random = seededRandom(seed)
    this.identifiers = deploymentIdentifiers(this.#style, (id) => this.#sessions.get(id)?.early)
    const [accepted, refused] = [new Set(profile.accepts), new Set(profile.refuses)]
    this.accepts = (name) => accepted.has(name)
    this.refuses = (name) => refused.has(name)
    this.acceptsViolation = (id, body, violation) => isAccepted(id, body, violation, accepted)
    this.stricter = (id, body) => stricterViolations(id, body, refused)
    this.isLearned = profile.learned !== undefined
    const { executionDelayMs = 0, figuresDelayMs = executionDelayMs } = profile
    this.delays = { executions: executionDelayMs, figures: figuresDelayMs }
    this.#addresses = uploadAddresses(this.#style, this.#random, remembers)
  }

  /**
   * Returns a request as one to the reference: without the deployment's path before `/api/v1`, and to storage's own address
   * instead of an address in the style of the deployment. Returns any other request unchanged.
   */
  toReference(request: Incoming): Pick<Context, 'request' | 'base'> {
    const { path } = request
    if (this.#basePath === '' || !path.startsWith(`${this.#basePath}/api/v1/`)) {
      return { request: this.#addresses.toStorage(request) }
    }
    return {
      request: { ...request, path: path.slice(this.#basePath.length) },
      base: publicUrlOf(request) + this.#basePath,
    }
  }

  /** Renders an answer. What the profile does not know is sent as the contract says. */
  render(context: Context, answer: Outgoing): Outgoing {
    const rendered = this.#render(context, answer)
    return { ...(rendered ?? withText(answer)), ...(answer.refusal && { refusal: answer.refusal }), contract: answer }
  }

  /** Returns the rendered answer; undefined for what the profile does not know. */
  #render(context: Context, answer: Outgoing): Outgoing | undefined {
    const { route, request } = context
    if (answer.status >= 400) return this.#refusal(context, answer)
    if (!route && request.method === 'OPTIONS') return this.#options(context)
    if (!route || !this.#style.knows(route.id)) return undefined
    const value = route.id === 'listWorkflows' ? jsonIn(answer.value) : answer.value
    const reason = route.id === 'confirmUpload' ? this.#reasonAgainst(value) : undefined
    const refusal = reason && this.#style.refusal(reason, this.#facts(context, answer, value), this.#random)
    if (refusal) return rendered(refusal)
    if (route.id === 'getWorkflow' && value instanceof WrittenJson) return this.#details(context, answer, value)
    const thing = thingOf(value, context.sessionId)
    return rendered(this.#style.answer(route.id, this.#facts(context, answer, value), this.#random, thing))
  }

  /** Returns the refusal of OPTIONS, if the deployment refuses it. */
  #options(context: Context): Outgoing | undefined {
    const codes = Object.keys(refusedOptions) as (keyof typeof refusedOptions)[]
    const code = codes.find((one) => this.refuses(refusedOptions[one]))
    const detail = 'The deployment of the profile does not answer OPTIONS. Leave it out.'
    return code && this.#refusal(context, new Problem(code, detail).toOutgoing())
  }

  #details(context: Context, answer: Outgoing, value: WrittenJson): Outgoing | undefined {
    const base = baseOf(context)
    const known = this.#prepared.get(value)
    if (known?.base === base) return known.render({ base, now: nowOf(context) })
    const json = jsonIn(value)
    const facts = this.#facts(context, answer, json)
    const render = this.#style.prepare('getWorkflow', facts, this.#random, thingOf(json))
    if (!render) return undefined
    // Headers follow the facts of the first read; only times and new values differ from call to call.
    const again = withSameBytes((now: Facts) => rendered(render({ ...facts, now: now.now })))
    this.#prepared.set(value, { base, render: again })
    return again(facts)
  }

  #facts(context: Context, { status }: Outgoing, body: unknown): Facts {
    const { route, steps, object: stored } = context
    const facts = factsOfCall({
      ...{ ...factsIn(context), status, body: this.#withAddress(context, body), path: context.params, steps },
    })
    const isStored = route?.id === 'putObject'
    const { session_id } = isStored ? { session_id: context.sessionId } : idsIn(body)
    if (session_id === undefined) return facts
    if (isStored && stored) this.#session(session_id).object = stored
    const object = this.#sessions.get(session_id)?.object
    return object === undefined ? facts : { ...facts, object }
  }

  /** Returns what is remembered of a session, to be changed. Only the latest are remembered. */
  #session(id: string): Session {
    const known = this.#sessions.get(id)
    if (known) return known
    if (this.#sessions.size >= mostRemembered) this.#sessions.clear()
    const session = {}
    this.#sessions.set(id, session)
    return session
  }

  /** Returns why some deployments refuse a confirmation that the contract accepts. */
  #reasonAgainst(value: unknown): string | undefined {
    const { session_id = '', file_size } = value as { session_id?: string; file_size?: number }
    const session = this.#session(session_id)
    if (session.isConfirmed) return 'confirmed-again'
    session.isConfirmed = true
    const { size = file_size } = session.object ?? {}
    return size === file_size ? undefined : otherSize
  }

  /** Puts the upload URL in the deployment's style in the place of storage's own. */
  #withAddress(context: Context, body: unknown): unknown {
    const { route, body: request } = context
    if (route?.id !== 'requestUpload' || body === null || typeof body !== 'object') return body
    const upload = body as { upload_url: string; session_id: string; key: string }
    const facts = { ...upload, request, now: nowOf(context) }
    const upload_url = this.#addresses.fromStorage(facts, this.#storageUrl(context.request))
    const document_id = this.#earlyDocument(facts)
    return { ...upload, upload_url, ...(document_id !== undefined && { document_id }) }
  }

  #earlyDocument(facts: Facts & { readonly session_id: string }): string | undefined {
    if (!this.#style.showsDocumentEarly) return undefined
    // Drawn without the text, which is the same for all documents.
    const random = { draw: () => this.#random.draw() }
    const id = this.#style.identifier('document', { ...facts, count: this.#sessions.size }, random)
    this.#session(facts.session_id).early = id
    return id
  }

  #refusal(context: Context, answer: Outgoing): Outgoing {
    const text = textOf(answer) ?? ''
    const isService = context.route?.part === 'service'
    const facts = factsOfCall({
      ...factsIn(context),
      ...(!isService && { call: undefined }),
      status: answer.status,
      body: text.startsWith('{') ? JSON.parse(text) : text,
      path: isService ? context.params : pathIn(context),
      method: context.request.method,
    })
    const { code } = facts.problem as { code: string }
    return rendered(this.#style.refusal(code, facts, this.#random)) ?? answer
  }
}

/** Returns the address of the service that was called, with the deployment's path if that was called too. */
const baseOf = ({ base, request }: Context) => base ?? publicUrlOf(request)

/** Returns the path as the client has sent it. */
const askedOf = ({ received: { path, asked = path } }: Context) => asked

/** Returns what every answer to a call may show. */
function factsIn(context: Context) {
  const { route, body: request, now = Date.now() } = context
  return { call: route?.id, request, base: baseOf(context), asked: askedOf(context), now }
}

const nowOf = ({ now = Date.now() }: Context) => String(writeTime(now, 'iso'))

/** The parameters in the path of a call that the contract does not have, or that storage refused. */
function pathIn(context: Context): Record<string, string> {
  const [, workflow_id] = /^\/api\/v1\/workflows\/([^/]+)/.exec(context.request.path) ?? []
  return workflow_id === undefined ? { upload: askedOf(context) } : { workflow_id }
}

const jsonIn = (value: unknown): unknown => JSON.parse((value as WrittenJson).text)

/** Returns the identifiers that an answer shows. */
const idsIn = (value: unknown) => (value ?? {}) as Partial<Record<`${'execution' | 'workflow' | 'session'}_id`, string>>

/** Returns what an answer is about, so that its new values stay the same. */
function thingOf(value: unknown, sessionId = ''): string {
  const { execution_id, workflow_id, session_id } = idsIn(value)
  return String(execution_id ?? workflow_id ?? session_id ?? sessionId)
}

/** Encodes the body of an answer only if it differs from the one before: a large text takes longer to encode than to compare. */
function withSameBytes(render: (facts: Facts) => Outgoing | undefined): typeof render {
  let last: { readonly text: string; readonly bytes: Uint8Array } | undefined
  return (facts) => {
    const answer = render(facts)
    if (typeof answer?.body !== 'string') return answer
    if (answer.body !== last?.text) last = { text: answer.body, bytes: new TextEncoder().encode(answer.body) }
    return { ...answer, body: last.bytes }
  }
}

function rendered(answer: RenderedAnswer | undefined): Outgoing | undefined {
  return (
    answer && {
      status: answer.status,
      headers: [...answer.headers, ...sandbox],
      ...(answer.body !== undefined && { body: answer.body }),
    }
  )
}
