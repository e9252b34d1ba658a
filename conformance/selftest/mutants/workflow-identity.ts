import { mutantsOf } from '../mutant.ts'
import { answersTo, changeRequest, isCall, onCalls, type PastCall, remembering, withState } from '../wrapper.ts'

/** Returns the identifiers of all created workflows. */
export const createdIn = (past: readonly PastCall[]) =>
  answersTo('createWorkflow', past).map(({ workflow_id }) => String(workflow_id))

/** Shows every workflow with the identifier of the first, which then refers to the latest. */
const repeatsIdentifier = remembering(async (request, inner, past) => {
  const shown = (text: string, from = '', to = '') => (from ? text.replaceAll(from, to) : text)
  const [first] = createdIn(past)
  const url = shown(request.url, first, createdIn(past).at(-1))
  const response = await inner(url === request.url ? request : await changeRequest(request, { url }))
  const text = await response.text()
  const { status, headers } = response
  return new Response(shown(text, createdIn(past).at(-1), createdIn(past)[0]) || null, { status, headers })
})

/** Carries out calls on the first or the latest workflow, whichever is named. */
export const meansAlways = (call: 'getWorkflow' | 'executeWorkflow', which: 'first' | 'latest') =>
  remembering(async (request, inner, past) => {
    const known = createdIn(past).at(which === 'first' ? 0 : -1)
    if (!isCall(request, call) || !known) return inner(request)
    const url = request.url.replace(/(?<=\/workflows\/)[^/]+/, known)
    return inner(await changeRequest(request, { url }))
  })

/** Answers a call as it was answered first, whatever else it does. */
export const repeatsFirstAnswer = (call: 'createWorkflow' | 'confirmUpload') =>
  withState(() => {
    let first: { text: string; status: number; headers: Headers } | undefined
    return onCalls([call], async (request, inner) => {
      const response = await inner(request)
      if (!response.ok) return response
      first ??= { text: await response.clone().text(), status: response.status, headers: response.headers }
      return new Response(first.text, first)
    })
  })

export const workflowIdentityMutants = mutantsOf([
  [
    'one-identifier',
    'Every created workflow is shown with the same identifier.',
    'workflow.ids-differ',
    repeatsIdentifier,
    { mayKill: ['get-workflow.method-and-path'] },
  ],
  [
    'create-answers-first',
    'Every later creation is answered with the first workflow.',
    'workflow.ids-differ',
    repeatsFirstAnswer('createWorkflow'),
    { mayKill: ['create-workflow.method-and-path'] },
  ],
  [
    'reads-first',
    'Every read shows the first workflow.',
    'get-workflow.method-and-path',
    meansAlways('getWorkflow', 'first'),
  ],
  [
    'reads-latest',
    'Every read shows the latest workflow.',
    'get-workflow.method-and-path',
    meansAlways('getWorkflow', 'latest'),
  ],
  [
    'never-readable',
    'A created workflow cannot be read by the shown identifier.',
    'get-workflow.method-and-path',
    onCalls(['createWorkflow'], async (request, inner) => {
      const response = await inner(request)
      if (!response.ok) return response
      const { workflow_id, ...body } = await response.json()
      return Response.json({ workflow_id: `${workflow_id}x`, ...body }, { status: response.status })
    }),
    (variants) => variants['workflow-id'] !== 'location-only',
  ],
])
