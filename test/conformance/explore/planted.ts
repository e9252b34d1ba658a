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
      const body = (await bodyOf(request)) as { completed_files?: { key: string }[] } | undefined
      const isTwice = body?.completed_files?.some(({ key }) =>
        [...puts].some(([path, n]) => n > 1 && path.endsWith(key)),
      )
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
