/** Answers as a profile describes a deployment; what the calls do stays with the service. */
import { sandbox } from '../../contract/http.ts'
import { factsOfCall } from '../../profile/facts.ts'
import type { Profile } from '../../profile/profile.ts'
import { otherSize, refusedOptions, stricterViolations } from '../../profile/strictness.ts'
import { type RenderedAnswer, Style } from '../../profile/style.ts'
import type { Facts, RandomSource } from '../../profile/template.ts'
import { writeTime } from '../../profile/template.ts'
import { isAccepted, repairBody } from '../../profile/tolerance.ts'
import type { DeploymentWays } from '../../wire/deployment.ts'
import {
  bodyTextOf,
  type Context,
  type Incoming,
  type Outgoing,
  publicUrlOf,
  type StoredObject,
  WrittenJson,
  withText,
} from '../../wire/exchange.ts'
import { Problem } from '../../wire/problem.ts'
import type { Identifiers } from '../service/identifiers.ts'
import { deploymentIdentifiers } from './deployment-identifiers.ts'
import { seededRandom } from './seeded-random.ts'
import { type UploadAddresses, uploadAddresses } from './upload-addresses.ts'

export interface LikeOptions {
  /** True to keep the storage address of each upload URL in memory instead of encoding it in the URL. */
  readonly remembers: boolean
  /** Returns the address of storage for the client of a request. */
  readonly storageUrl: (incoming: Incoming) => string
}

/** Renders answers like those of a deployment. */
export interface Like extends DeploymentWays {
  readonly identifiers: Identifiers
  /** True if the profile was learned from answers, with all of their headers. */
  readonly isLearned: boolean
  /**
   * Returns a request as one to the reference: without the deployment's path before `/api/v1`, and to storage's own address
   * instead of an address in the style of the deployment. Returns any other request unchanged.
   */
  toReference(request: Incoming): Pick<Context, 'request' | 'base'>
  /** Renders an answer. What the profile does not know is sent as the contract says. */
  render(context: Context, answer: Outgoing): Outgoing
}

/** Creates what answers as a profile says. Throws a `TemplateError` if a template of it cannot be used. */
export function likeOf(profile: Profile, seed: string, { remembers, storageUrl }: LikeOptions): Like {
  const style = new Style(profile)
  const random = seededRandom(seed)
  const addresses = uploadAddresses(style, random, remembers)
  const sessions = new Sessions()
  const deployment = deploymentOf(profile, style)
  const render = rendererOf({ style, random, addresses, storageUrl, sessions, refuses: deployment.refuses })
  const { basePath = '' } = profile
  return {
    ...deployment,
    identifiers: deploymentIdentifiers(style, (id) => sessions.get(id)?.early),
    isLearned: profile.learned !== undefined,
    toReference(request) {
      const { path } = request
      if (basePath === '' || !path.startsWith(`${basePath}/api/v1/`)) return { request: addresses.toStorage(request) }
      return { request: { ...request, path: path.slice(basePath.length) }, base: publicUrlOf(request) + basePath }
    },
    render(context, answer) {
      const { refusal } = answer
      return { ...(render(context, answer) ?? withText(answer)), ...(refusal && { refusal }), contract: answer }
    },
  }
}

function deploymentOf(profile: Profile, { needsMd5, needsSha256 }: Style): DeploymentWays {
  const [accepted, refused] = [new Set(profile.accepts), new Set(profile.refuses)]
  const { executionDelayMs = 0, figuresDelayMs = executionDelayMs, executionPaths = [] } = profile
  return {
    accepts: (name) => accepted.has(name),
    refuses: (name) => refused.has(name),
    acceptsViolation: (id, body, violation) => isAccepted(id, body, violation, accepted),
    repair: repairBody,
    stricter: (id, body) => stricterViolations(id, body, refused),
    delays: { executions: executionDelayMs, figures: figuresDelayMs },
    ...{ listsWorkflows: profile.answers?.listWorkflows !== undefined, executionPaths, needsMd5, needsSha256 },
  }
}

/** The most sessions of uploads that are remembered, for what only some deployments show. */
const mostRemembered = 10_000

interface Session {
  /** The document, if it was shown before it was stored. */
  early?: string | undefined
  /** Size and digests of what was stored. */
  object?: StoredObject
  isConfirmed?: boolean
}

/** The latest sessions of uploads. */
class Sessions extends Map<string, Session> {
  /** Returns what is remembered of a session, to be changed. */
  of(id: string): Session {
    const known = this.get(id)
    if (known) return known
    if (this.size >= mostRemembered) this.clear()
    const session = {}
    this.set(id, session)
    return session
  }
}

/** What rendering needs. */
interface Parts {
  readonly style: Style
  readonly random: RandomSource
  readonly addresses: UploadAddresses
  readonly storageUrl: LikeOptions['storageUrl']
  readonly sessions: Sessions
  readonly refuses: DeploymentWays['refuses']
}

/** Returns what renders answers; undefined for what the profile does not know. */
function rendererOf(parts: Parts): (context: Context, answer: Outgoing) => Outgoing | undefined {
  const { style, random, sessions, refuses } = parts
  const factsOf = factsWith(parts)
  const refusalOf = (context: Context, answer: Outgoing) => {
    const facts = factsOfRefusal(context, answer)
    return rendered(style.refusal((facts.problem as { code: string }).code, facts, random)) ?? answer
  }
  /** Rendered details, as long as the contract's are cached. */
  const prepared = new WeakMap<WrittenJson, { base: string; render: (facts: Facts) => Outgoing | undefined }>()
  const details = (context: Context, answer: Outgoing, value: WrittenJson) => {
    const base = baseOf(context)
    const known = prepared.get(value)
    if (known?.base === base) return known.render({ base, now: nowOf(context) })
    const json = JSON.parse(value.text)
    const facts = factsOf(context, answer, json)
    const render = style.prepare('getWorkflow', facts, random, thingOf(json))
    if (!render) return undefined
    // Headers follow the facts of the first read; only times and new values differ from call to call.
    const again = withSameBytes((now: Facts) => rendered(render({ ...facts, now: now.now })))
    prepared.set(value, { base, render: again })
    return again(facts)
  }
  return (context, answer) => {
    const { route, request } = context
    if (answer.status >= 400) return refusalOf(context, answer)
    if (!route && request.method === 'OPTIONS') {
      const refused = refusalOfOptions(refuses)
      return refused && refusalOf(context, refused)
    }
    if (!route || !style.knows(route.id)) return undefined
    const value = route.id === 'listWorkflows' ? JSON.parse((answer.value as WrittenJson).text) : answer.value
    if (route.id === 'getWorkflow' && value instanceof WrittenJson) return details(context, answer, value)
    const reason = route.id === 'confirmUpload' ? reasonAgainst(value as Confirmation, sessions) : undefined
    const facts = factsOf(context, answer, value)
    const refusal = reason && style.refusal(reason, facts, random)
    return rendered(refusal || style.answer(route.id, facts, random, thingOf(value, context.sessionId)))
  }
}

/** Returns the refusal of OPTIONS, if the deployment refuses it. */
function refusalOfOptions(refuses: DeploymentWays['refuses']): Outgoing | undefined {
  const codes = Object.keys(refusedOptions) as (keyof typeof refusedOptions)[]
  const code = codes.find((one) => refuses(refusedOptions[one]))
  const detail = 'The deployment of the profile does not answer OPTIONS. Leave it out.'
  return code && new Problem(code, detail).toOutgoing()
}

interface Confirmation {
  readonly session_id: string
  readonly file_size: number
}

/** Returns why some deployments refuse a confirmation that the contract accepts. */
function reasonAgainst({ session_id, file_size }: Confirmation, sessions: Sessions): string | undefined {
  const session = sessions.of(session_id)
  if (session.isConfirmed) return 'confirmed-again'
  session.isConfirmed = true
  const { size = file_size } = session.object ?? {}
  return size === file_size ? undefined : otherSize
}

/** Returns what collects the facts of an answer that is no refusal. */
function factsWith({ style, random, addresses, storageUrl, sessions }: Parts) {
  const earlyDocument = (facts: Facts & { readonly session_id: string }) => {
    if (!style.showsDocumentEarly) return undefined
    // Drawn without the text, which is the same for all documents.
    const id = style.identifier('document', { ...facts, count: sessions.size }, { draw: () => random.draw() })
    sessions.of(facts.session_id).early = id
    return id
  }
  /** Puts the upload URL in the deployment's style in the place of storage's own. */
  const withAddress = (context: Context, body: unknown) => {
    const { route, body: request } = context
    if (route?.id !== 'requestUpload' || body === null || typeof body !== 'object') return body
    const upload = body as { upload_url: string; session_id: string; key: string }
    const facts = { ...upload, request, now: nowOf(context) }
    const upload_url = addresses.fromStorage(facts, storageUrl(context.request))
    const document_id = earlyDocument(facts)
    return { ...upload, upload_url, ...(document_id !== undefined && { document_id }) }
  }
  return (context: Context, { status }: Outgoing, body: unknown): Facts => {
    const { route, steps, params: path, object: stored } = context
    const facts = factsOfCall({ ...factsIn(context), status, body: withAddress(context, body), path, steps })
    const isStored = route?.id === 'putObject'
    const { session_id } = isStored ? { session_id: context.sessionId } : idsIn(body)
    if (session_id === undefined) return facts
    if (isStored && stored) sessions.of(session_id).object = stored
    const object = sessions.get(session_id)?.object
    return object === undefined ? facts : { ...facts, object }
  }
}

/** Returns the facts of a refusal. */
function factsOfRefusal(context: Context, answer: Outgoing): Facts {
  const text = bodyTextOf(answer) ?? ''
  const isService = context.route?.part === 'service'
  return factsOfCall({
    ...factsIn(context),
    ...(!isService && { call: undefined }),
    status: answer.status,
    body: text.startsWith('{') ? JSON.parse(text) : text,
    path: isService ? context.params : pathIn(context),
    method: context.request.method,
  })
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
