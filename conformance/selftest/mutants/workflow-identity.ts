import { type Mutant, mutant } from '../mutant.ts'
import { changeAnswers, changeRequest, compose, isCall, onCalls, type Wrapper, wrap } from '../wrapper.ts'

/** Shows every workflow with the identifier of the first, which then refers to the latest. */
function repeatIdentifier(): Wrapper {
  let first: string | undefined
  let latest: string | undefined
  return compose(
    wrap(async (request, inner) =>
      inner(first && latest ? await changeRequest(request, { url: request.url.replace(first, latest) }) : request),
    ),
    changeAnswers(['createWorkflow'], (body) => {
      latest = String(body.workflow_id)
      first ??= latest
      return body
    }),
    (inner) => async (request) => {
      const response = await inner(request)
      const text = await response.text()
      const { status, headers } = response
      const shown = first && latest ? text.replaceAll(latest, first) : text
      return new Response(text === '' ? null : shown, { status, headers })
    },
  )
}

/** Answers every read with the first or the latest workflow. */
function readsAlways(which: 'first' | 'latest'): Wrapper {
  let known: string | undefined
  return wrap(async (request, inner) => {
    if (isCall(request, 'getWorkflow') && known) {
      return inner(await changeRequest(request, { url: request.url.replace(/[^/]+$/, known) }))
    }
    const response = await inner(request)
    if (isCall(request, 'createWorkflow') && response.ok) {
      const { workflow_id } = await response.clone().json()
      known = which === 'latest' ? workflow_id : (known ?? workflow_id)
    }
    return response
  })
}

function createAnswersFirst(): Wrapper {
  let first: { text: string; headers: Headers } | undefined
  return onCalls(['createWorkflow'], async (request, inner) => {
    const response = await inner(request)
    if (!response.ok) return response
    first ??= { text: await response.clone().text(), headers: response.headers }
    return new Response(first.text, { status: response.status, headers: first.headers })
  })
}

export const workflowIdentityMutants: readonly Mutant[] = [
  mutant(
    'one-identifier',
    'Every created workflow is shown with the same identifier.',
    ['workflow.ids-differ'],
    repeatIdentifier,
    { mayKill: ['get-workflow.method-and-path'] },
  ),
  mutant(
    'create-answers-first',
    'Every later creation is answered with the first workflow.',
    ['workflow.ids-differ'],
    createAnswersFirst,
    { mayKill: ['create-workflow.method-and-path'] },
  ),
  mutant('reads-first', 'Every read shows the first workflow.', ['get-workflow.method-and-path'], () =>
    readsAlways('first'),
  ),
  mutant('reads-latest', 'Every read shows the latest workflow.', ['get-workflow.method-and-path'], () =>
    readsAlways('latest'),
  ),
  mutant(
    'never-readable',
    'A created workflow cannot be read by the shown identifier.',
    ['get-workflow.method-and-path'],
    () =>
      onCalls(['createWorkflow'], async (request, inner) => {
        const response = await inner(request)
        if (!response.ok) return response
        const { workflow_id, ...body } = await response.json()
        return Response.json({ workflow_id: `${workflow_id}x`, ...body }, { status: response.status })
      }),
    { appliesTo: (variants) => variants['workflow-id'] !== 'location-only' },
  ),
]
