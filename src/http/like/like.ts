/** Answers as a profile describes a deployment; what the calls do stays with the service. */
import { sandbox } from '../../contract/http.ts'
import { factsOfCall } from '../../profile/facts.ts'
import type { Profile } from '../../profile/profile.ts'
import { otherSize, refusedOptions, storedAgain, stricterViolations } from '../../profile/strictness.ts'
import { type RenderedAnswer, Style } from '../../profile/style.ts'
import type { Facts, Luck } from '../../profile/template.ts'
import { writeTime } from '../../profile/template.ts'
import { isAccepted, repairBody, storageName } from '../../profile/tolerance.ts'
import type { FurtherCalls } from '../service/further-calls.ts'
import type { Identifiers } from '../service/identifiers.ts'
import type { Delays } from '../service/workflows.ts'
import { type Incoming, jsonAnswer, type Outgoing, publicUrlOf, WrittenJson } from '../wire/exchange.ts'
import { Problem } from '../wire/problem.ts'
import type { StorageTolerance } from '../wire/storage-tolerance.ts'
import type { Tolerance } from '../wire/valid-body.ts'
import { DeploymentIdentifiers } from './deployment-identifiers.ts'
import { luckFrom } from './luck.ts'
import { Rewritten } from './rewritten.ts'
import { UploadAddresses } from './upload-addresses.ts'

/** The most sessions of uploads that are remembered, for what only some deployments show. */
const mostRemembered = 10_000

export interface LikeOptions {
  /** True to keep the storage address of each upload URL in memory instead of encoding it in the URL. */
  readonly remembers: boolean
  /** Returns the address of storage for the client of a request. */
  readonly storageUrl: (incoming: Incoming) => string
}

/** Renders answers like those of a deployment. */
export class Like {
  readonly identifiers: Identifiers
  readonly needsMd5: boolean
  readonly needsSha256: boolean
  /** True if the profile was learned from answers, with all of their headers. */
  readonly isLearned: boolean
  readonly tolerance: Tolerance
  readonly storageTolerance: StorageTolerance
  readonly delays: Delays
  readonly further: FurtherCalls
  readonly #style: Style
  readonly #addresses: UploadAddresses
  readonly #basePath: string
  readonly #luck: Luck
  readonly #storageUrl: LikeOptions['storageUrl']
  /** Rendered details, as long as the contract's are cached. */
  readonly #prepared = new WeakMap<WrittenJson, { base: string; render: (facts: Facts) => Outgoing | undefined }>()
  readonly #confirmed = new Set<string>()
  readonly #refused: ReadonlySet<string>
  /** The documents that were shown before they were stored, by session; the latest are remembered. */
  readonly #early = new Map<string, string>()
  /** Size and digests of what was stored, by session. */
  readonly #objects = new Map<string, unknown>()

  constructor(profile: Profile, seed: string, { remembers, storageUrl }: LikeOptions) {
    this.#storageUrl = storageUrl
    this.#style = new Style(profile)
    this.#basePath = profile.basePath ?? ''
    this.further = {
      listsWorkflows: this.#style.knows('listWorkflows'),
      executionPaths: profile.executionPaths ?? [],
    }
    this.needsMd5 = this.#style.needsMd5
    this.needsSha256 = this.#style.needsSha256
    this.#luck = luckFrom(seed)
    this.identifiers = new DeploymentIdentifiers(this.#style, this.#early)
    const [accepted, refused] = [new Set(profile.accepts), new Set(profile.refuses)]
    this.#refused = refused
    this.isLearned = profile.learned !== undefined
    this.tolerance = {
      acceptsAnyMediaType: accepted.has('unsupported-media-type'),
      acceptsAnyDocument: accepted.has('document-not-confirmed'),
      acceptsAnySize: accepted.has('file-too-large'),
      accepts: (id, body, violation) => isAccepted(id, body, violation, accepted),
      repair: repairBody,
      refuse: (id, body) => stricterViolations(id, body, refused),
    }
    this.storageTolerance = {
      accepts: (code, about) => accepted.has(storageName(code, about)),
      refusesAgain: refused.has(storedAgain),
    }
    const { executionDelayMs = 0, figuresDelayMs = executionDelayMs } = profile
    this.delays = { executions: executionDelayMs, figures: figuresDelayMs }
    this.#addresses = new UploadAddresses(this.#style, this.#luck, { remembers })
  }

  /**
   * Returns a request as one to the reference: without the deployment's path before `/api/v1`, and to storage's own address
   * instead of an address in the style of the deployment. Returns any other request unchanged.
   */
  toReference(incoming: Incoming): Incoming {
    const { path, search } = incoming
    if (this.#basePath !== '' && path.startsWith(`${this.#basePath}/api/v1/`)) {
      const base = publicUrlOf(incoming) + this.#basePath
      return new Rewritten(incoming, { path: path.slice(this.#basePath.length), search, base })
    }
    return this.#addresses.toStorage(incoming)
  }

  /** Renders an answer. What the profile does not know is sent as the contract says. */
  render(incoming: Incoming, answer: Outgoing): Outgoing {
    const { call } = incoming
    if (answer.isBroken || answer.isInjected) return answer
    if (answer.status >= 400) {
      const refused = this.#refusal(incoming, answer)
      return answer.refusal ? { ...refused, refusal: answer.refusal } : refused
    }
    if (!call && incoming.method === 'OPTIONS') return this.#options(incoming) ?? written(answer)
    if (!call || !this.#style.knows(call.id)) return written(answer)
    const value = call.id === 'listWorkflows' ? jsonIn(answer.value) : answer.value
    const reason = call.id === 'confirmUpload' ? this.#reasonAgainst(value) : undefined
    const refusal = reason && this.#style.refusal(reason, this.#facts(incoming, answer, value), this.#luck)
    if (refusal) return rendered(refusal) ?? answer
    if (call.id === 'getWorkflow' && value instanceof WrittenJson) {
      return this.#details(incoming, answer, value)
    }
    return (
      rendered(
        this.#style.answer(call.id, this.#facts(incoming, answer, value), this.#luck, thingOf(value, call.sessionId)),
      ) ?? written(answer)
    )
  }

  /** Returns the refusal of OPTIONS, if the deployment refuses it. */
  #options(incoming: Incoming): Outgoing | undefined {
    const codes = Object.keys(refusedOptions) as (keyof typeof refusedOptions)[]
    const code = codes.find((one) => this.#refused.has(refusedOptions[one]))
    const detail = 'The deployment of the profile does not answer OPTIONS. Leave it out.'
    return code && this.#refusal(incoming, new Problem(code, detail).toOutgoing())
  }

  #details(incoming: Incoming, answer: Outgoing, value: WrittenJson): Outgoing {
    const base = baseOf(incoming)
    const known = this.#prepared.get(value)
    if (known?.base === base) return known.render({ base, now: nowOf(incoming) }) ?? written(answer)
    const json = jsonIn(value)
    const facts = this.#facts(incoming, answer, json)
    const render = this.#style.prepare('getWorkflow', facts, this.#luck, thingOf(json))
    if (!render) return written(answer)
    // Headers follow the facts of the first read; only times and new values differ from call to call.
    const again = withSameBytes((now: Facts) => rendered(render({ ...facts, now: now.now })))
    this.#prepared.set(value, { base, render: again })
    return again(facts) ?? written(answer)
  }

  #facts(incoming: Incoming, { status }: Outgoing, body: unknown): Facts {
    const { call } = incoming
    const facts = factsOfCall({
      call: call?.id,
      status,
      body: this.#withAddress(incoming, body),
      request: call?.body,
      path: call?.params ?? {},
      steps: call?.steps,
      base: baseOf(incoming),
      asked: incoming.asked ?? incoming.path,
      now: call?.now ?? Date.now(),
    })
    const session =
      call?.id === 'putObject' ? call.sessionId : (body as { session_id?: string } | null | undefined)?.session_id
    if (call?.id === 'putObject' && session !== undefined && call.object) {
      if (this.#objects.size >= mostRemembered) this.#objects.clear()
      this.#objects.set(session, call.object)
    }
    const object = session === undefined ? undefined : this.#objects.get(session)
    return object === undefined ? facts : { ...facts, object }
  }

  /** Returns why some deployments refuse a confirmation that the contract accepts. */
  #reasonAgainst(value: unknown): string | undefined {
    const { session_id = '', file_size } = value as { session_id?: string; file_size?: number }
    if (this.#isRepeated(value)) return 'confirmed-again'
    const { size } = (this.#objects.get(session_id) ?? {}) as { size?: number }
    return size !== undefined && size !== file_size ? otherSize : undefined
  }

  /** Returns true if an upload was confirmed before. Only the latest uploads are remembered. */
  #isRepeated(value: unknown): boolean {
    const { session_id = '' } = value as { session_id?: string }
    if (this.#confirmed.has(session_id)) return true
    if (this.#confirmed.size >= mostRemembered) this.#confirmed.clear()
    this.#confirmed.add(session_id)
    return false
  }

  /** Puts the upload URL in the deployment's style in the place of storage's own. */
  #withAddress(incoming: Incoming, body: unknown): unknown {
    if (incoming.call?.id !== 'requestUpload' || body === null || typeof body !== 'object') return body
    const upload = body as { upload_url: string; session_id: string; key: string }
    const now = nowOf(incoming)
    const upload_url = this.#addresses.fromStorage(upload, {
      ...{ request: incoming.call.body, now, storageUrl: this.#storageUrl(incoming) },
    })
    const document_id = this.#earlyDocument({ ...upload, request: incoming.call.body, now })
    return { ...upload, upload_url, ...(document_id !== undefined && { document_id }) }
  }

  #earlyDocument(facts: Facts & { readonly session_id: string }): string | undefined {
    if (!this.#style.showsDocumentEarly) return undefined
    // Drawn without the text, which is the same for all documents.
    const luck = { draw: () => this.#luck.draw() }
    const id = this.#style.identifier('document', { ...facts, count: this.#early.size }, luck)
    if (this.#early.size >= mostRemembered) this.#early.clear()
    if (id !== undefined) this.#early.set(facts.session_id, id)
    return id
  }

  #refusal(incoming: Incoming, answer: Outgoing): Outgoing {
    const { call } = incoming
    const text = typeof answer.body === 'string' ? answer.body : new TextDecoder().decode(answer.body)
    const body: unknown = text.startsWith('{') ? JSON.parse(text) : text
    const facts = factsOfCall({
      call: call?.id,
      status: answer.status,
      body,
      request: call?.body,
      path: call?.params ?? pathIn(incoming),
      base: baseOf(incoming),
      asked: incoming.asked ?? incoming.path,
      method: incoming.method,
      now: call?.now ?? Date.now(),
    })
    const { code } = facts.problem as { code: string }
    return rendered(this.#style.refusal(code, facts, this.#luck)) ?? answer
  }
}

/** Returns the address of the service that was called, with the deployment's path if that was called too. */
const baseOf = (incoming: Incoming) => (incoming instanceof Rewritten ? incoming.base : publicUrlOf(incoming))

const nowOf = ({ call }: Incoming) => String(writeTime(call?.now ?? Date.now(), 'iso'))

/** The parameters in the path of a call that the contract does not have, or that storage refused. */
function pathIn(incoming: Incoming): Record<string, string> {
  const asked = incoming.asked ?? incoming.path
  const [, workflow_id] = /^\/api\/v1\/workflows\/([^/]+)/.exec(incoming.path) ?? []
  return workflow_id === undefined ? { upload: asked } : { workflow_id }
}

const jsonIn = (value: unknown): unknown => JSON.parse(new TextDecoder().decode((value as WrittenJson).bytes))

/** Returns what an answer is about, so that its new values stay the same. */
function thingOf(value: unknown, sessionId = ''): string {
  const { execution_id, workflow_id, session_id } = (value ?? {}) as Record<string, unknown>
  return String(execution_id ?? workflow_id ?? session_id ?? sessionId)
}

/** Returns an answer whose body has not been written yet as it is sent without a profile. */
function written(answer: Outgoing): Outgoing {
  const { value, ...rest } = answer
  if (value === undefined) return rest
  const json = jsonAnswer(answer.status, value)
  return answer.headers.length > 0 ? { ...json, headers: [...json.headers, ...answer.headers] } : json
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
