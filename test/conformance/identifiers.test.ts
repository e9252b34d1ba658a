import { expect, test } from 'vitest'
import { unknownLike } from '../../conformance/evidence/identifiers.ts'
import { reference } from '../../conformance/selftest/reference.ts'
import { runOn } from '../../conformance/selftest/run-on.ts'
import { onCalls } from '../../conformance/selftest/wrapper.ts'

test.each([
  ['4001', /^2147483\d{3}$/],
  [7, /^2147483\d{3}$/],
  ['wf-7', /^wf-2147483\d{3}$/],
  ['w7', /^w2147483\d{3}$/],
  ['DOC-2041', /^DOC-7041$/],
  ['doc5041', /^doc1041$/],
  ['WF-2024-0001', /^WF-2024-5001$/],
  ['wf_2c8v5n1k7d4x9m3q', /^wf_2c8v5n1[a-z0-9]{9}$/],
  ['6fa435f7-4273-4b41-b018-ffa1d5b901b3', /^6fa435f7-4273-4b41-b018-[0-9a-f]{12}$/],
  ['01HZX3KQ7V9Y2B5N8M4R6T1WEC', /^01HZX3KQ7V9Y2[0-9A-HJKMNP-TV-Z]{13}$/],
  ['prj-mmmmmmmm', /^prj-m{2}t{6}$/],
  ['1234567890123456789', /^1234567890\d{9}$/],
])('%s keeps its form if it is made unknown', (known, form) => {
  expect(unknownLike(known)).toMatch(form)
  expect(unknownLike(known)).not.toBe(String(known))
})

/** Refuses identifiers of another form, and finds a workflow for each other one. */
const findsAny = onCalls(['getWorkflow'], async (request, inner) => {
  if (!/\/wf_[a-z0-9]{16}$/.test(request.url)) return Response.json({ error: 'malformed' }, { status: 400 })
  const response = await inner(request)
  return response.status === 404 ? Response.json({}) : response
})

test('an unknown workflow is sought by an identifier of the usual form', async () => {
  const { gaps } = await runOn(findsAny(reference()), { gaps: true, selects: (id) => id === 'workflow.name' })
  expect(gaps.find(({ id }) => id === 'gap.unknown-workflow')?.observed).toBe('accepted')
})
