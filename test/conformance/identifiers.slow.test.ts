import { expect, test } from 'vitest'
import { unknownLike } from '../../conformance/evidence/identifiers.ts'
import { reference } from '../../conformance/selftest/reference.ts'
import { runOn } from '../../conformance/selftest/run-on.ts'
import { jsonOf, onCalls, type ServerFunction } from '../../conformance/selftest/wrapper.ts'

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

/** Wraps each answer beside a code, and answers 200 to every service call. */
const inEnvelope =
  (server: ServerFunction): ServerFunction =>
  async (request) => {
    const response = await server(request)
    const json = new URL(request.url).pathname.startsWith('/api/') ? await jsonOf(response) : undefined
    if (!json) return response
    const { workflow_id, ...rest } = json
    const own = workflow_id === undefined ? rest : { ...rest, vorlage: workflow_id }
    return Response.json({
      a: { k: response.ok ? '0000' : '4040', t: `TX${Math.random()}` },
      b: response.ok ? own : null,
    })
  }

test('an identifier without a name must read back its workflow', async () => {
  const { checks, located } = await runOn(inEnvelope(reference()))
  expect(checks.filter(({ verdict }) => verdict === 'fail')).toEqual([])
  expect(located.workflow_id).toBe('/b/vorlage')
})

test('two calls that are answered alike were refused, also with 200', async () => {
  const { verdict, checks } = await runOn(inEnvelope(reference()), { apiKey: 'unknown' })
  expect(verdict).toBe('undecided')
  expect(checks.find(({ id }) => id === 'auth.raw-key')?.message).toContain('with the same members')
})
