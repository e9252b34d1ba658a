import { expect, test } from 'vitest'
import type { RequirementId } from '../../conformance/catalogue/catalogue.ts'
import { reference } from '../../conformance/selftest/reference.ts'
import { runOn } from '../../conformance/selftest/run-on.ts'
import { jsonOf, onCalls } from '../../conformance/selftest/wrapper.ts'

/** Answers the second call of an operation with the identifier of the first, and no later one. */
function repeatsOnce(call: 'createWorkflow' | 'requestUpload', member: string) {
  let first: unknown
  let count = 0
  return onCalls([call], async (request, inner) => {
    const response = await inner(request)
    if (!response.ok) return response
    const body = (await jsonOf(response)) ?? {}
    count += 1
    if (count === 1) first = body[member]
    return Response.json(count === 2 ? { ...body, [member]: first } : body, response)
  })
}

test.each<[RequirementId, ReturnType<typeof repeatsOnce>]>([
  ['workflow.ids-differ', repeatsOnce('createWorkflow', 'workflow_id')],
  ['upload.session-ids-differ', repeatsOnce('requestUpload', 'session_id')],
])('one repetition breaks %s in all attempts', async (id, wrapper) => {
  const { checks } = await runOn(wrapper(reference()), { tries: 3 })
  expect(checks.find((check) => check.id === id)).toMatchObject({ verdict: 'fail', flaky: false })
})
