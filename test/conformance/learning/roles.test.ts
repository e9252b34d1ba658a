import { expect, test } from 'vitest'
import { followIdentifiers } from '../../../conformance/learning/roles.ts'
import type { TimedExchange } from '../../../conformance/session/calls.ts'

function answered(method: string, url: string, sent: object | undefined, json?: object): TimedExchange {
  const bytes = new TextEncoder().encode(json === undefined ? '' : JSON.stringify(json))
  const request = { method, url, headers: new Headers() }
  const body = sent === undefined ? {} : { sent: JSON.stringify(sent) }
  return { request, ...body, status: 200, headers: new Headers(), bytes, json, durationMs: 1, at: 0 }
}

test('a PUT belongs to its own upload if addresses differ in their query alone', () => {
  const urls = ['a', 'b', 'c'].map((name) => `http://storage.test/put?key=tenants%2Ft%2F${name}.pdf&sig=1`)
  const requested = urls.map((upload_url, index) => {
    const sent = { file_name: `${'abc'[index]}.pdf`, content_type: 'application/pdf', file_size: 1 }
    return answered('POST', 'http://there.test/api/v1/upload/', sent, { upload_url, session_id: `session-${index}` })
  })
  const puts = urls.map((url) => answered('PUT', url, undefined))
  const roles = followIdentifiers([...requested, ...puts]).map(({ roles }) => roles.session)
  expect(roles).toEqual(['session-0', 'session-1', 'session-2', 'session-0', 'session-1', 'session-2'])
})

test('executions are found although one identifier has no digit by chance', () => {
  const url = 'http://there.test/api/v1/workflows/w1/execute'
  const executed = ['exe_rpfgpilrdlwfkegu', 'exe_493wx636h36es482'].map((run, index) =>
    answered('POST', url, { document_id: `d${index}` }, { run, state: ['open', 'queued'][index] }),
  )
  expect(followIdentifiers(executed).map(({ roles }) => roles.execution)).toEqual([
    'exe_rpfgpilrdlwfkegu',
    'exe_493wx636h36es482',
  ])
})

test('small numbers that are identifiers of several kinds are told apart', () => {
  const api = 'http://there.test/api/v1'
  const steps = (count: number) => Array.from({ length: count }, (_, index) => ({ order: index + 1 }))
  const session = [2, 1, 3].flatMap((count, index) => {
    const id = index + 1
    const lines = steps(count).map(({ order }) => ({ id: 2 * id + order, order }))
    return [
      answered('POST', `${api}/workflows`, { name: `w${id}`, steps: steps(count) }, { lines, data: { id } }),
      answered('GET', `${api}/workflows/${id}`, undefined, { data: { id } }),
      answered(
        'POST',
        `${api}/workflows/${id}/execute`,
        { document_id: id + 1 },
        { data: { id: id + 3, file: id + 1 } },
      ),
    ]
  })
  const roles = followIdentifiers(session).map(({ roles }) => roles)
  expect(roles.map(({ workflow }) => workflow)).toEqual(
    ['1', '', '', '2', '', '', '3', '', ''].map((id) => id || undefined),
  )
  expect(roles.flatMap(({ execution }) => execution ?? [])).toEqual(['4', '5', '6'])
})

test('a header with the time that a call took is no identifier of an execution', () => {
  const executed = [7, 8, 9].map((id) => {
    const answer = answered('POST', 'http://there.test/api/v1/workflows/w1/execute', {}, { data: { id } })
    return { ...answer, headers: new Headers({ 'X-Runtime': `0.0012${id}` }) }
  })
  expect(followIdentifiers(executed).map(({ roles }) => roles.execution)).toEqual(['7', '8', '9'])
})

test('an answer with another code than those of sound requests is a refusal', () => {
  const approver = { email: 'ann@example.com', name: 'Ann' }
  const step = { step_id: 's1', name: 'Step', order: 1, type: 'approval', approvers: [approver], estimated_duration: 5 }
  const sound = { name: 'Contract', description: '', isSequential: true, steps: [step] }
  const head = (code: string, message: string) => ({ head: { returnCode: code, returnMessage: message } })
  const url = 'http://there.test/api/v1/workflows'
  const long = head('A-17', 'The element name is missing. '.repeat(20))
  const session = [
    answered('POST', url, { ...sound, name: undefined }, long),
    answered('POST', url, sound, { ...head('0000', 'SUCCESS'), workflow: { id: 'wf-81', name: 'Contract' } }),
    answered('GET', `${url}/wf-81`, undefined, { ...head('0000', 'SUCCESS'), workflow: { id: 'wf-81' } }),
    answered('GET', `${url}/wf-82`, undefined, head('A-40', 'Not found')),
  ]
  expect(followIdentifiers(session).map(({ isSuccess }) => isSuccess)).toEqual([false, true, true, false])
})

test('a document that no execution used is found under the name of its file', () => {
  const confirmed = ['a.pdf', 'b.pdf'].map((file_name, index) => {
    const sent = { session_id: `session-${index}`, completed_files: [{ key: `tenants/t/${file_name}`, file_name }] }
    const json = { size: { [file_name]: 725 }, docs: { [file_name]: `d894${index}` } }
    return answered('POST', 'http://there.test/api/v1/upload/confirm', sent, json)
  })
  const used = { document_id: 'd8940', submitter_email: 'sam@example.com' }
  const executed = answered('POST', 'http://there.test/api/v1/workflows/w1/execute', used, { run: 'r1' })
  const roles = followIdentifiers([...confirmed, executed]).map(({ roles }) => roles.document)
  expect(roles).toEqual(['d8940', 'd8941', undefined])
})

test('executions that details show under their identifiers are found', () => {
  const executed = ['r8857', 'r9120'].map((run, index) =>
    answered('POST', `http://there.test/api/v1/workflows/w${index}/execute`, {}, { trace: `t${index}77`, run }),
  )
  const details = ['r8857', 'r9120'].map((run, index) =>
    answered('GET', `http://there.test/api/v1/workflows/w${index}`, undefined, { runs: { [run]: `t${index}77` } }),
  )
  const roles = followIdentifiers([...executed, ...details]).map(({ roles }) => roles.execution)
  expect(roles).toEqual(['r8857', 'r9120', undefined, undefined])
})
