/** Faults that show only after certain calls in a certain order. */
import { reference } from '../../../conformance/selftest/reference.ts'
import {
  bodyOf,
  callOf,
  changeResponse,
  jsonOf,
  problem,
  type ServerFunction,
} from '../../../conformance/selftest/wrapper.ts'
import type { OperationId } from '../../../src/contract/operations.ts'

type Handle = (request: Request, inner: ServerFunction, call: OperationId | undefined) => Promise<Response>

/** Creates a server from a function with state that handles each request. */
const planted = (handle: () => Handle) => (): ServerFunction => {
  const [inner, own] = [reference(), handle()]
  return (request) => own(request, inner, callOf(request))
}

/** Fails the last of these calls, if the others were accepted before it, in this order. */
const inOrder = (...order: readonly OperationId[]) =>
  planted(() => {
    let reached = 0
    return async (request, inner, call) => {
      if (reached === order.length - 1 && call === order.at(-1)) {
        reached = 0
        return problem(500)
      }
      const response = await inner(request)
      if (response.ok && reached < order.length - 1 && call === order[reached]) reached += 1
      return response
    }
  })

/** Fails the last of these calls, if the three calls right before it were the others. */
const inARow = (...order: readonly OperationId[]) =>
  planted(() => {
    let latest: (OperationId | undefined)[] = []
    return (request, inner, call) => {
      latest = [...latest, call].slice(-order.length)
      return latest.join() === order.join() ? Promise.resolve(problem(500)) : inner(request)
    }
  })

/** Returns the session of a confirmation. */
const sessionOf = async (request: Request) => String((await bodyOf(request))?.session_id)

/** Each needs four calls at least, or five with what they use. */
export const plantedFaults: Readonly<Record<string, () => ServerFunction>> = {
  'an upload, a workflow, another one: reading fails': inOrder(
    'requestUpload',
    'createWorkflow',
    'createWorkflow',
    'getWorkflow',
  ),
  'two requests for uploads, and two workflows: the second one fails': inOrder(
    'requestUpload',
    'requestUpload',
    'createWorkflow',
    'createWorkflow',
  ),
  'create, read, request and put in a row: the put fails': inARow(
    'createWorkflow',
    'getWorkflow',
    'requestUpload',
    'putObject',
  ),
  'a confirmation that came too early is refused later, too': planted(() => {
    const early = new Set<string>()
    return async (request, inner, call) => {
      if (call !== 'confirmUpload') return inner(request)
      const session = await sessionOf(request)
      if (early.has(session)) return problem(409)
      const response = await inner(request)
      if (!response.ok) early.add(session)
      return response
    }
  }),
  'a file that was sent twice cannot be confirmed': planted(() => {
    const puts = new Map<string, number>()
    return async (request, inner, call) => {
      const { pathname } = new URL(request.url)
      if (call === 'putObject') puts.set(pathname, (puts.get(pathname) ?? 0) + 1)
      if (call !== 'confirmUpload') return inner(request)
      const keys = keysOf(await bodyOf(request))
      const isTwice = keys.some((key) => [...puts].some(([path, n]) => n > 1 && path.endsWith(key)))
      return isTwice ? problem(422) : inner(request)
    }
  }),
  'after an older workflow is read, the newest has its name': planted(() => {
    const names: string[] = []
    let isOlderRead = false
    return async (request, inner, call) => {
      const body = await bodyOf(request)
      const response = await inner(request)
      const json = response.ok ? await jsonOf(response) : undefined
      if (call === 'createWorkflow' && json) names.push(String(body?.name))
      if (call !== 'getWorkflow' || !json) return response
      const isNewest = json.name === names.at(-1)
      if (isNewest && isOlderRead) {
        isOlderRead = false
        return changeResponse(response, { ...json, name: names.at(-2) })
      }
      isOlderRead ||= !isNewest
      return response
    }
  }),
  'a document that is older than the workflow is refused': planted(() => {
    const order = new Map<string, number>()
    return async (request, inner, call) => {
      const body = await bodyOf(request)
      const workflow = /workflows\/([^/]+)\/execute$/.exec(new URL(request.url).pathname)?.[1] ?? ''
      const [made, stored] = [order.get(workflow) ?? 0, order.get(String(body?.document_id)) ?? 0]
      if (call === 'executeWorkflow' && stored > 0 && stored < made) return problem(422)
      const response = await inner(request)
      const json = response.ok ? await jsonOf(response) : undefined
      if (call === 'createWorkflow' && json) order.set(String(json.workflow_id), order.size + 1)
      if (call === 'confirmUpload' && json) order.set(String(json.document_id), order.size + 1)
      return response
    }
  }),
  'after two refused creations and a sound one, reading is refused': planted(() => {
    let refused = 0
    return async (request, inner, call) => {
      if (call === 'getWorkflow' && refused >= 2) {
        refused = 0
        return problem(404)
      }
      const response = await inner(request)
      if (call === 'createWorkflow' && !response.ok) refused += 1
      return response
    }
  }),
}

/** Returns the storage keys of a confirmation. */
const keysOf = (body: Record<string, unknown> | undefined) =>
  [body?.completed_files].flat().flatMap((file) => {
    const key = (file as { key?: unknown } | null | undefined)?.key
    return typeof key === 'string' ? [key] : []
  })

/** Returns the workflow in the path of a request, or an empty string. */
const workflowIn = (request: Request) => /workflows\/([^/]+)/.exec(new URL(request.url).pathname)?.[1] ?? ''

/** Mistakes of the kinds that real services make: caches, shared defaults, upserts, state kept by too short a key. */
export const realisticFaults: Readonly<Record<string, () => ServerFunction>> = {
  'a second confirmation makes another document': planted(() => {
    const confirmed = new Set<string>()
    return async (request, inner, call) => {
      if (call !== 'confirmUpload') return inner(request)
      const session = await sessionOf(request)
      const response = await inner(request)
      const json = response.ok ? await jsonOf(response) : undefined
      if (!json) return response
      if (confirmed.has(session))
        return changeResponse(response, { ...json, document_id: `doc_${confirmed.size}again8k2` })
      confirmed.add(session)
      return response
    }
  }),
  'a request for a file with the same name withdraws the older address': planted(() => {
    const latest = new Map<string, string>()
    return async (request, inner, call) => {
      const body = await bodyOf(request)
      if (call === 'putObject') {
        const { pathname } = new URL(request.url)
        const newest = latest.get(pathname.split('/').at(-1) ?? '')
        return newest !== undefined && newest !== pathname ? new Response(null, { status: 403 }) : inner(request)
      }
      const response = await inner(request)
      const json = call === 'requestUpload' && response.ok ? await jsonOf(response) : undefined
      if (json && typeof body?.file_name === 'string')
        latest.set(body.file_name, new URL(String(json.upload_url)).pathname)
      return response
    }
  }),
  'answers to reads are cached by the name of the workflow': planted(() => {
    const cache = new Map<string, Record<string, unknown>>()
    return async (request, inner, call) => {
      const response = await inner(request)
      const json = call === 'getWorkflow' && response.ok ? await jsonOf(response) : undefined
      if (!json) return response
      const known = cache.get(String(json.name))
      if (!known) cache.set(String(json.name), json)
      return known && known.workflow_id !== json.workflow_id ? changeResponse(response, known) : response
    }
  }),
  'a refused execution is counted': planted(() => {
    const refused = new Map<string, number>()
    return async (request, inner, call) => {
      const response = await inner(request)
      const id = workflowIn(request)
      if (call === 'executeWorkflow' && response.status >= 400 && response.status !== 401)
        refused.set(id, (refused.get(id) ?? 0) + 1)
      const json = call === 'getWorkflow' && response.ok ? await jsonOf(response) : undefined
      const more = refused.get(id) ?? 0
      if (!json || more === 0) return response
      const metrics = json.execution_metrics as { total: number; running: number }
      const changed = { ...metrics, total: metrics.total + more, running: metrics.running + more }
      return changeResponse(response, { ...json, execution_metrics: changed })
    }
  }),
  'after a refused creation, the next workflow lacks its description when it is read': planted(() => {
    let isSpoilt = false
    const spoilt = new Set<string>()
    return async (request, inner, call) => {
      const response = await inner(request)
      if (call === 'createWorkflow') {
        const json = response.ok ? await jsonOf(response) : undefined
        if (json && isSpoilt) spoilt.add(String(json.workflow_id))
        isSpoilt = !response.ok && response.status !== 401
      }
      const json = call === 'getWorkflow' && response.ok ? await jsonOf(response) : undefined
      return json && spoilt.has(String(json.workflow_id))
        ? changeResponse(response, { ...json, description: '' })
        : response
    }
  }),
  'any stored file lets another upload be confirmed': planted(() => {
    let isStored = false
    return async (request, inner, call) => {
      const session_id = await sessionOf(request)
      const response = await inner(request)
      if (call === 'putObject' && response.ok) isStored = true
      if (call !== 'confirmUpload' || response.ok || !isStored) return response
      const json = await jsonOf(response)
      if (json?.code !== 'object-not-stored') return response
      isStored = false
      return Response.json({ document_id: `doc_of_${session_id}`, session_id })
    }
  }),
  'the key of another stored upload is accepted': planted(() => {
    const stored: string[] = []
    return async (request, inner, call) => {
      const body = await bodyOf(request)
      const response = await inner(request)
      if (call === 'putObject' && response.ok) stored.push(new URL(request.url).pathname)
      if (call !== 'confirmUpload' || response.ok || response.status === 401) return response
      const json = await jsonOf(response)
      const isOthers = json?.code === 'key-of-another-session'
      if (!isOthers || !keysOf(body).every((key) => stored.some((path) => path.endsWith(key)))) return response
      return Response.json({ document_id: `doc_of_${String(body?.session_id)}`, session_id: body?.session_id })
    }
  }),
  'three calls without a key in a row lock the next one out': planted(() => {
    let refused = 0
    return async (request, inner, call) => {
      if (refused >= 3 && call !== 'putObject') {
        refused = 0
        return problem(403)
      }
      const response = await inner(request)
      if (call !== 'putObject') refused = response.status === 401 ? refused + 1 : 0
      return response
    }
  }),
  'a refused file uses the address up': planted(() => {
    const used = new Set<string>()
    return async (request, inner, call) => {
      if (call !== 'putObject') return inner(request)
      const { pathname } = new URL(request.url)
      if (used.has(pathname)) return new Response(null, { status: 403 })
      const response = await inner(request)
      if (!response.ok) used.add(pathname)
      return response
    }
  }),
  'the mode of the newest workflow is that of all': planted(() => {
    let isSequential: unknown = true
    return async (request, inner, call) => {
      const response = await inner(request)
      const json =
        response.ok && (call === 'createWorkflow' || call === 'getWorkflow') ? await jsonOf(response) : undefined
      if (!json) return response
      if (call === 'createWorkflow') isSequential = json.isSequential
      return call === 'getWorkflow' ? changeResponse(response, { ...json, isSequential }) : response
    }
  }),
}
