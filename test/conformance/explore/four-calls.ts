/**
 * Twelve more kinds of faults, written before the planner that they measure. Each needs four calls in a certain order, or five with the
 * calls that these depend on. A digest of their titles chose the six for development and the six that are measured only at the end.
 */
import {
  bodyOf,
  changeResponse,
  jsonOf,
  type Members,
  problem,
  type ServerFunction,
} from '../../../conformance/selftest/wrapper.ts'
import { keysOf, planted, sessionOf, workflowIn } from './planted.ts'

const isRefused = ({ status }: Response) => status >= 400 && status !== 401

/** Known while the exploration is developed. */
export const fourCallFaults: Readonly<Record<string, () => ServerFunction>> = {
  'the third read of a workflow in a row fails': planted(() => {
    let latest = { id: '', reads: 0 }
    return async (request, inner, call) => {
      const id = call === 'getWorkflow' ? workflowIn(request) : ''
      const reads = id !== '' && latest.id === id ? latest.reads + 1 : 1
      latest = { id, reads }
      return id !== '' && reads >= 3 ? problem(500) : inner(request)
    }
  }),
  'a workflow that was read takes the approvers of a newer one': planted(() => {
    const read = new Set<string>()
    const taken = new Map<string, unknown[]>()
    return async (request, inner, call) => {
      const response = await inner(request)
      const json = response.ok ? await jsonOf(response) : undefined
      if (!json) return response
      const steps = (json.steps ?? []) as Members[]
      if (call === 'createWorkflow') {
        const approvers = steps.map((step) => step.approvers)
        for (const id of read) if (!taken.has(id)) taken.set(id, approvers)
      }
      if (call !== 'getWorkflow') return response
      const id = workflowIn(request)
      read.add(id)
      const others = taken.get(id)
      if (!others) return response
      const changed = steps.map((step, index) => ({ ...step, approvers: others[index] ?? step.approvers }))
      return changeResponse(response, { ...json, steps: changed })
    }
  }),
  'after two refused executions, a workflow is suspended': planted(() => {
    const refused = new Map<string, number>()
    return async (request, inner, call) => {
      const response = await inner(request)
      const id = workflowIn(request)
      if (call === 'executeWorkflow' && isRefused(response)) refused.set(id, (refused.get(id) ?? 0) + 1)
      const json = call === 'getWorkflow' && response.ok ? await jsonOf(response) : undefined
      return json && (refused.get(id) ?? 0) >= 2 ? changeResponse(response, { ...json, status: 'suspended' }) : response
    }
  }),
  'a file that was refused first is confirmed with the size of the refused one': planted(() => {
    const sizes = new Map<string, number>()
    return async (request, inner, call) => {
      const body = call === 'confirmUpload' ? await bodyOf(request) : undefined
      const size = call === 'putObject' ? (await request.clone().arrayBuffer()).byteLength : 0
      const response = await inner(request)
      if (call === 'putObject' && isRefused(response)) sizes.set(new URL(request.url).pathname, size)
      const json = call === 'confirmUpload' && response.ok ? await jsonOf(response) : undefined
      const wrong = [...sizes].find(([path]) => keysOf(body).some((key) => path.endsWith(key)))
      return json && wrong ? changeResponse(response, { ...json, file_size: wrong[1] }) : response
    }
  }),
  'an absent isSequential is that of the workflow read last': planted(() => {
    let latest: unknown = true
    const inherited = new Map<string, unknown>()
    return async (request, inner, call) => {
      const body = call === 'createWorkflow' ? await bodyOf(request) : undefined
      const response = await inner(request)
      const json = response.ok ? await jsonOf(response) : undefined
      if (!json) return response
      if (call === 'createWorkflow' && body?.isSequential === undefined) inherited.set(String(json.workflow_id), latest)
      if (call !== 'getWorkflow') return response
      const isSequential = inherited.get(workflowIn(request)) ?? json.isSequential
      latest = isSequential
      return changeResponse(response, { ...json, isSequential })
    }
  }),
  'after a wrong key, a stored upload cannot be confirmed': planted(() => {
    const paths = new Map<string, string>()
    const stored = new Set<string>()
    const locked = new Set<string>()
    return async (request, inner, call) => {
      const session = call === 'confirmUpload' ? await sessionOf(request) : ''
      if (locked.has(session)) return problem(409)
      const response = await inner(request)
      const json = await jsonOf(response)
      if (call === 'requestUpload' && response.ok)
        paths.set(String(json?.session_id), new URL(String(json?.upload_url)).pathname)
      if (call === 'putObject' && response.ok) stored.add(new URL(request.url).pathname)
      const isStored = stored.has(paths.get(session) ?? '')
      if (call === 'confirmUpload' && json?.code === 'key-of-another-session' && isStored) locked.add(session)
      return response
    }
  }),
}

/** Measured at the end only. */
export const unseenFaults: Readonly<Record<string, () => ServerFunction>> = {
  'of two open uploads, the one stored last is confirmed with the name of the other': planted(() => {
    const open: string[] = []
    const stored: string[] = []
    return async (request, inner, call) => {
      const body = call === 'confirmUpload' ? await bodyOf(request) : undefined
      const response = await inner(request)
      const json = response.ok ? await jsonOf(response) : undefined
      const path = new URL(request.url).pathname
      if (call === 'requestUpload' && json) open.push(new URL(String(json.upload_url)).pathname)
      if (call === 'putObject' && response.ok && !stored.includes(path)) stored.push(path)
      if (call !== 'confirmUpload' || !json) return response
      const [before, latest] = stored.slice(-2)
      const isLatest = latest !== undefined && keysOf(body).some((key) => latest.endsWith(key))
      // The order of storing differs from that of asking.
      const isReversed = before !== undefined && latest !== undefined && open.indexOf(before) > open.indexOf(latest)
      return isLatest && isReversed
        ? changeResponse(response, { ...json, file_name: before.split('/').at(-1) })
        : response
    }
  }),
  'a request after a confirmation gets the session of the confirmed upload': planted(() => {
    let latest: string | undefined
    return async (request, inner, call) => {
      const session = call === 'confirmUpload' ? await sessionOf(request) : ''
      const response = await inner(request)
      const json = response.ok ? await jsonOf(response) : undefined
      if (call === 'confirmUpload' && json) latest = session
      if (call !== 'requestUpload' || !json || latest === undefined) return response
      const reused = latest
      latest = undefined
      return changeResponse(response, { ...json, session_id: reused })
    }
  }),
  'the third workflow of one name cannot be read': planted(() => {
    const named = new Map<string, number>()
    const lost = new Set<string>()
    return async (request, inner, call) => {
      if (call === 'getWorkflow' && lost.has(workflowIn(request))) return problem(404)
      const response = await inner(request)
      const json = call === 'createWorkflow' && response.ok ? await jsonOf(response) : undefined
      if (!json) return response
      const name = String(json.name)
      named.set(name, (named.get(name) ?? 0) + 1)
      if ((named.get(name) ?? 0) >= 3) lost.add(String(json.workflow_id))
      return response
    }
  }),
  'after two reads of unknown workflows, the next workflow is not found': planted(() => {
    let unknown = 0
    const lost = new Set<string>()
    return async (request, inner, call) => {
      if (call === 'getWorkflow' && lost.has(workflowIn(request))) return problem(404)
      const response = await inner(request)
      if (call === 'getWorkflow' && response.status === 404) unknown += 1
      const json = call === 'createWorkflow' && response.ok ? await jsonOf(response) : undefined
      if (json && unknown >= 2) lost.add(String(json.workflow_id))
      if (json) unknown = 0
      return response
    }
  }),
  'after an early confirmation, the address of the next upload is refused': planted(() => {
    let isEarly = false
    const refused = new Set<string>()
    return async (request, inner, call) => {
      const path = new URL(request.url).pathname
      if (call === 'putObject' && refused.has(path)) return new Response(null, { status: 403 })
      const response = await inner(request)
      const json = await jsonOf(response)
      if (call === 'confirmUpload' && json?.code === 'object-not-stored') isEarly = true
      if (call === 'requestUpload' && response.ok && isEarly) {
        isEarly = false
        refused.add(new URL(String(json?.upload_url)).pathname)
      }
      return response
    }
  }),
  'a workflow made while a file is awaited cannot be executed with its document': planted(() => {
    const awaited = new Set<string>()
    const kept = new Map<string, readonly string[]>()
    const sessions = new Map<string, string>()
    return async (request, inner, call) => {
      const body = await bodyOf(request)
      const session = sessions.get(String(body?.document_id)) ?? ''
      if (call === 'executeWorkflow' && kept.get(workflowIn(request))?.includes(session)) return problem(409)
      const response = await inner(request)
      const json = response.ok ? await jsonOf(response) : undefined
      if (!json) return response
      if (call === 'requestUpload') awaited.add(String(json.session_id))
      if (call === 'createWorkflow') kept.set(String(json.workflow_id), [...awaited])
      if (call === 'confirmUpload') {
        awaited.delete(String(json.session_id))
        sessions.set(String(json.document_id), String(json.session_id))
      }
      return response
    }
  }),
}
