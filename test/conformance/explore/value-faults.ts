/** Faults that cross sequences of calls with the values of bodies. */
import {
  bodyOf,
  changeResponse,
  jsonOf,
  type Members,
  problem,
  type ServerFunction,
} from '../../../conformance/selftest/wrapper.ts'
import { keysOf, planted, sessionOf, workflowIn } from './planted.ts'

/** Written before the values of bodies were planned. Each needs three to five calls, some with certain values. */
export const valueFaults: Readonly<Record<string, () => ServerFunction>> = {
  'a workflow with a name of 100 characters loses its last one after another creation': planted(() => {
    let latest = ''
    return async (request, inner, call) => {
      const response = await inner(request)
      const json = response.ok ? await jsonOf(response) : undefined
      if (call === 'createWorkflow' && json) latest = String(json.workflow_id)
      const name = String(json?.name)
      const isOlder = json && call === 'getWorkflow' && workflowIn(request) !== latest
      return isOlder && name.length === 100 ? changeResponse(response, { ...json, name: name.slice(0, 99) }) : response
    }
  }),
  'after a name of 101 characters was refused, a sound workflow is refused': planted(() => {
    let isStuck = false
    return async (request, inner, call) => {
      const body = call === 'createWorkflow' ? await bodyOf(request) : undefined
      const response = await inner(request)
      if (!body) return response
      const wasStuck = isStuck
      isStuck = String(body.name).length === 101
      return wasStuck && response.ok ? problem(400) : response
    }
  }),
  'after an execution, the approvers of all steps are those of the first': planted(() => {
    const executed = new Set<string>()
    return async (request, inner, call) => {
      const response = await inner(request)
      if (call === 'executeWorkflow' && response.ok) executed.add(workflowIn(request))
      const json = call === 'getWorkflow' && response.ok ? await jsonOf(response) : undefined
      if (!json || !executed.has(workflowIn(request))) return response
      const steps = (json.steps ?? []) as Members[]
      return changeResponse(response, {
        ...json,
        steps: steps.map((step) => ({ ...step, approvers: steps[0]?.approvers })),
      })
    }
  }),
  'approvers of the second step are lost when a newer workflow is read': planted(() => {
    let newest = ''
    let isNewestRead = false
    return async (request, inner, call) => {
      const response = await inner(request)
      const json = response.ok ? await jsonOf(response) : undefined
      if (call === 'createWorkflow' && json) {
        newest = String(json.workflow_id)
        isNewestRead = false
      }
      if (call !== 'getWorkflow' || !json) return response
      if (workflowIn(request) === newest) isNewestRead = true
      else if (isNewestRead) {
        const steps = (json.steps ?? []) as Members[]
        const changed = steps.map((step, index) => (index === 1 ? { ...step, approvers: [] } : step))
        return changeResponse(response, { ...json, steps: changed })
      }
      return response
    }
  }),
  'a confirmation before the file makes the stored file unconfirmable, with another code': planted(() => {
    const early = new Set<string>()
    return async (request, inner, call) => {
      const session = call === 'confirmUpload' ? await sessionOf(request) : ''
      const response = await inner(request)
      if (call !== 'confirmUpload') return response
      if (!response.ok && response.status !== 401) early.add(session)
      return response.ok && early.has(session) ? problem(410) : response
    }
  }),
  'read, read, execute in a row with an unknown document: the execution fails': planted(() => {
    let row: (string | undefined)[] = []
    return async (request, inner, call) => {
      row = [...row, call].slice(-3)
      return row.join() === 'getWorkflow,getWorkflow,executeWorkflow' ? problem(500) : inner(request)
    }
  }),
  'request, create, put in a row: the next confirmation is refused': planted(() => {
    let row: (string | undefined)[] = []
    let isArmed = false
    return async (request, inner, call) => {
      row = [...row, call].slice(-3)
      if (row.join() === 'requestUpload,createWorkflow,putObject') isArmed = true
      const isNow = isArmed && call === 'confirmUpload'
      if (isNow) isArmed = false
      return isNow ? problem(409) : inner(request)
    }
  }),
  'a second execution of a workflow is refused unless it was read between': planted(() => {
    const executed = new Set<string>()
    return async (request, inner, call) => {
      const id = workflowIn(request)
      if (call === 'getWorkflow') executed.delete(id)
      if (call === 'executeWorkflow' && executed.has(id)) return problem(409)
      const response = await inner(request)
      if (call === 'executeWorkflow' && response.ok) executed.add(id)
      return response
    }
  }),
  'of two uploads with one name, the second confirmation shows the first document': planted(() => {
    const documents = new Map<string, unknown>()
    return async (request, inner, call) => {
      const body = call === 'confirmUpload' ? await bodyOf(request) : undefined
      const response = await inner(request)
      const json = body && response.ok ? await jsonOf(response) : undefined
      if (!json) return response
      const name = keysOf(body)[0]?.split('/').at(-1) ?? ''
      const known = documents.get(name)
      if (known !== undefined && known !== json.document_id)
        return changeResponse(response, { ...json, document_id: known })
      documents.set(name, json.document_id)
      return response
    }
  }),
  'a parallel workflow made after a sequential one was read is sequential': planted(() => {
    let wasRead = false
    const wrong = new Set<string>()
    return async (request, inner, call) => {
      const response = await inner(request)
      const json = response.ok ? await jsonOf(response) : undefined
      if (!json) return response
      if (call === 'createWorkflow' && json.isSequential === false && wasRead) wrong.add(String(json.workflow_id))
      if (call !== 'getWorkflow') return response
      wasRead = json.isSequential === true
      return wrong.has(workflowIn(request)) ? changeResponse(response, { ...json, isSequential: true }) : response
    }
  }),
}
