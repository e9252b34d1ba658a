/** Faults that show only after certain calls in a certain order. */
import { reference } from '../../../conformance/selftest/reference.ts'
import {
  bodyOf,
  callOf,
  changeResponse,
  jsonOf,
  type Members,
  problem,
  type ServerFunction,
} from '../../../conformance/selftest/wrapper.ts'
import type { OperationId } from '../../../src/contract/operations.ts'

/** What the reference answers, and the body if it accepts the call. */
interface Answered {
  readonly response: Response
  readonly json?: Members | undefined
}

/** A call, and what sends it to the reference. */
interface Sent {
  readonly call: OperationId | undefined
  readonly body: Members
  readonly path: string
  readonly send: () => Promise<Answered>
}

type Handle = (sent: Sent) => Response | Promise<Response | Answered>
type Faults = Readonly<Record<string, () => ServerFunction>>

/** Creates a server from a function with state that handles each request, or each request of one call. */
const planted = (handle: () => Handle, only?: OperationId) => (): ServerFunction => {
  const [inner, own] = [reference(), handle()]
  return async (request) => {
    const call = callOf(request)
    if (only !== undefined && call !== only) return inner(request)
    const body = (call !== 'putObject' && (await bodyOf(request))) || {}
    const send = async () => {
      const response = await inner(request)
      return { response, json: response.ok ? await jsonOf(response) : undefined }
    }
    const answer = await own({ call, body, path: new URL(request.url).pathname, send })
    return answer instanceof Response ? answer : answer.response
  }
}

const changed = ({ response, json }: Answered, members: object) => changeResponse(response, { ...json, ...members })

/** Fails the last of these calls, if the others were accepted before it, in this order. */
const inOrder = (...order: readonly OperationId[]) =>
  planted(() => {
    let reached = 0
    return async ({ call, send }) => {
      if (reached === order.length - 1 && call === order.at(-1)) {
        reached = 0
        return problem(500)
      }
      const answer = await send()
      if (answer.response.ok && reached < order.length - 1 && call === order[reached]) reached += 1
      return answer
    }
  })

/** Returns true if each file of a confirmation is at some path. */
const isAtPaths = ({ completed_files }: Members, isPath: (key: string) => boolean) => {
  const keys = [completed_files].flat().map((file) => (file as { key?: unknown } | null | undefined)?.key)
  return keys.every((key) => typeof key !== 'string' || isPath(key))
}

/** The workflow in the path of a call. */
const workflowIn = (path: string) => path.split('/')[4] ?? ''

/** Each needs four calls at least, or five with what they use. */
export const plantedFaults: Faults = {
  'an upload, a workflow, another one: reading fails': inOrder(
    ...(['requestUpload', 'createWorkflow', 'createWorkflow', 'getWorkflow'] as const),
  ),
  'two requests for uploads, and two workflows: the second one fails': inOrder(
    ...(['requestUpload', 'requestUpload', 'createWorkflow', 'createWorkflow'] as const),
  ),
  'a confirmation that came too early is refused later, too': planted(() => {
    const early = new Set<unknown>()
    return async ({ body: { session_id }, send }) => {
      if (early.has(session_id)) return problem(409)
      const answer = await send()
      if (!answer.response.ok) early.add(session_id)
      return answer
    }
  }, 'confirmUpload'),
  'a file that was sent twice cannot be confirmed': planted(() => {
    const [once, twice] = [new Set<string>(), new Set<string>()]
    return ({ call, path, body, send }) => {
      if (call === 'putObject') (once.has(path) ? twice : once).add(path)
      const isSound = (key: string) => ![...twice].some((one) => one.endsWith(key))
      return call !== 'confirmUpload' || isAtPaths(body, isSound) ? send() : problem(422)
    }
  }),
  'after an older workflow is read, the newest has its name': planted(() => {
    const names: unknown[] = []
    let isOlderRead = false
    return async ({ call, body, send }) => {
      const answer = await send()
      if (call === 'createWorkflow' && answer.json) names.push(body.name)
      if (call !== 'getWorkflow' || !answer.json) return answer
      const isNewest = answer.json.name === names.at(-1)
      const isShown = isNewest && isOlderRead
      isOlderRead = !isShown && (isOlderRead || !isNewest)
      return isShown ? changed(answer, { name: names.at(-2) }) : answer
    }
  }),
  'a document that is older than the workflow is refused': planted(() => {
    const order: unknown[] = []
    return async ({ call, path, body, send }) => {
      const [made, stored] = [workflowIn(path), body.document_id].map((id) => order.indexOf(id))
      if (call === 'executeWorkflow' && stored !== -1 && Number(stored) < Number(made)) return problem(422)
      const answer = await send()
      if (call === 'createWorkflow' && answer.json) order.push(answer.json.workflow_id)
      if (call === 'confirmUpload' && answer.json) order.push(answer.json.document_id)
      return answer
    }
  }),
  'after two refused creations and a sound one, reading is refused': planted(() => {
    let refused = 0
    return async ({ call, send }) => {
      if (call === 'getWorkflow' && refused >= 2) {
        refused = 0
        return problem(404)
      }
      const answer = await send()
      if (call === 'createWorkflow' && !answer.response.ok) refused += 1
      return answer
    }
  }),
}

/** Mistakes of the kinds that real services make: caches, shared defaults, upserts, state kept by too short a key. */
export const realisticFaults: Faults = {
  'a second confirmation makes another document': planted(() => {
    const confirmed = new Set<unknown>()
    return async ({ body: { session_id }, send }) => {
      const answer = await send()
      if (answer.json && confirmed.has(session_id)) {
        return changed(answer, { document_id: `doc_${confirmed.size}again8k2` })
      }
      if (answer.json) confirmed.add(session_id)
      return answer
    }
  }, 'confirmUpload'),
  'a request for a file with the same name withdraws the older address': planted(() => {
    const latest = new Map<unknown, string>()
    return async ({ call, path, body, send }) => {
      const newest = latest.get(path.split('/').at(-1))
      if (call === 'putObject' && newest !== undefined && newest !== path) return new Response(null, { status: 403 })
      const answer = await send()
      if (call === 'requestUpload' && answer.json) {
        latest.set(body.file_name, new URL(String(answer.json.upload_url)).pathname)
      }
      return answer
    }
  }),
  'answers to reads are cached by the name of the workflow': planted(() => {
    const cache = new Map<unknown, Members>()
    return async ({ send }) => {
      const answer = await send()
      if (!answer.json) return answer
      const known = cache.get(answer.json.name) ?? answer.json
      cache.set(answer.json.name, known)
      return known.workflow_id === answer.json.workflow_id ? answer : changed(answer, known)
    }
  }, 'getWorkflow'),
  'a refused execution is counted': planted(() => {
    const refused = new Map<string, number>()
    return async ({ call, path, send }) => {
      const answer = await send()
      const [id, { ok, status }] = [workflowIn(path), answer.response]
      const more = refused.get(id) ?? 0
      if (call === 'executeWorkflow' && !ok && status !== 401) refused.set(id, more + 1)
      if (call !== 'getWorkflow' || !answer.json || more === 0) return answer
      const metrics = answer.json.execution_metrics as { total: number; running: number }
      const counted = { total: metrics.total + more, running: metrics.running + more }
      return changed(answer, { execution_metrics: { ...metrics, ...counted } })
    }
  }),
  'after a refused creation, the next workflow lacks its description when it is read': planted(() => {
    let isSpoilt = false
    const spoilt = new Set<unknown>()
    return async ({ call, send }) => {
      const answer = await send()
      const { response, json } = answer
      if (call === 'createWorkflow') {
        if (json && isSpoilt) spoilt.add(json.workflow_id)
        isSpoilt = !response.ok && response.status !== 401
      }
      const isShown = call === 'getWorkflow' && json && spoilt.has(json.workflow_id)
      return isShown ? changed(answer, { description: '' }) : answer
    }
  }),
  'any stored file lets another upload be confirmed': planted(() => {
    let isStored = false
    return async ({ call, body: { session_id }, send }) => {
      const answer = await send()
      const { ok } = answer.response
      if (call === 'putObject' && ok) isStored = true
      if (call !== 'confirmUpload' || ok || !isStored) return answer
      if ((await jsonOf(answer.response))?.code !== 'object-not-stored') return answer
      isStored = false
      return Response.json({ document_id: `doc_of_${session_id}`, session_id })
    }
  }),
  'the key of another stored upload is accepted': planted(() => {
    const stored: string[] = []
    return async ({ call, path, body, send }) => {
      const answer = await send()
      const { ok, status } = answer.response
      if (call === 'putObject' && ok) stored.push(path)
      if (call !== 'confirmUpload' || ok || status === 401) return answer
      const isOthers = (await jsonOf(answer.response))?.code === 'key-of-another-session'
      if (!isOthers || !isAtPaths(body, (key) => stored.some((one) => one.endsWith(key)))) return answer
      return Response.json({ document_id: `doc_of_${body.session_id}`, session_id: body.session_id })
    }
  }),
  'three calls without a key in a row lock the next one out': planted(() => {
    let refused = 0
    return async ({ call, send }) => {
      if (call === 'putObject') return send()
      if (refused >= 3) {
        refused = 0
        return problem(403)
      }
      const answer = await send()
      refused = answer.response.status === 401 ? refused + 1 : 0
      return answer
    }
  }),
  'a refused file uses the address up': planted(() => {
    const used = new Set<string>()
    return async ({ path, send }) => {
      if (used.has(path)) return new Response(null, { status: 403 })
      const answer = await send()
      if (!answer.response.ok) used.add(path)
      return answer
    }
  }, 'putObject'),
  'the mode of the newest workflow is that of all': planted(() => {
    let isSequential: unknown = true
    return async ({ call, send }) => {
      const answer = await send()
      if (call === 'createWorkflow' && answer.json) isSequential = answer.json.isSequential
      return call === 'getWorkflow' && answer.json ? changed(answer, { isSequential }) : answer
    }
  }),
}
