import { expect, test } from 'vitest'
import { followIdentifiers } from '../../../conformance/learning/roles.ts'
import type { TimedExchange } from '../../../conformance/session/calls.ts'
import { exchangeOf } from '../../support/exchange.ts'

const api = 'http://there.test/api/v1'

function answered(call: string, sent?: object, json?: object, headers = new Headers()): TimedExchange {
  const [method = '', path = ''] = call.split(' ')
  const bytes = new TextEncoder().encode(json && JSON.stringify(json))
  const answer = { headers, bytes, json, at: 0, ...(sent && { sent: JSON.stringify(sent) }) }
  return exchangeOf({ method, url: path.startsWith('http') ? path : `${api}${path}` }, answer)
}

const created = (sent: object, json: object) => answered('POST /workflows', sent, json)
const read = (id: string | number, json: object) => answered(`GET /workflows/${id}`, undefined, json)
const executed = (id: string | number, sent: object, json: object, headers?: Headers) =>
  answered(`POST /workflows/${id}/execute`, sent, json, headers)

const rolesIn = (session: readonly TimedExchange[], role: 'workflow' | 'session' | 'document' | 'execution') =>
  followIdentifiers(session).map(({ roles }) => roles[role] ?? '')

test('a PUT belongs to its own upload if addresses differ in their query alone', () => {
  const urls = ['a', 'b', 'c'].map((name) => `http://storage.test/put?key=tenants%2Ft%2F${name}.pdf&sig=1`)
  const requested = urls.map((upload_url, index) => {
    const sent = { file_name: `${'abc'[index]}.pdf`, content_type: 'application/pdf', file_size: 1 }
    return answered('POST /upload/', sent, { upload_url, session_id: `session-${index}` })
  })
  const roles = rolesIn([...requested, ...urls.map((url) => answered(`PUT ${url}`))], 'session')
  expect(roles).toEqual([0, 1, 2, 0, 1, 2].map((index) => `session-${index}`))
})

const unlike = ['exe_rpfgpilrdlwfkegu', 'exe_493wx636h36es482']
const runs = ['r8857', 'r9120']

test.each([
  [
    'although one has no digit by chance',
    unlike,
    unlike.map((run, index) => executed('w1', { document_id: `d${index}` }, { run, state: ['open', 'queued'][index] })),
  ],
  [
    'beside a header with the time of a call',
    ['7', '8', '9'],
    [7, 8, 9].map((id) => executed('w1', {}, { data: { id } }, new Headers({ 'X-Runtime': `0.0012${id}` }))),
  ],
  [
    'beside those of their steps',
    runs,
    runs.map((run, index) => executed('w1', {}, { id: run, stepExecutions: [{ id: `step-${index}77` }] })),
  ],
  [
    'beside a path whose last part is small',
    [...runs, ''],
    [
      ...runs.map((run, index) => executed('w1', {}, { execution: { path: `a/w1/${index + 1}`, runId: run } })),
      read('w1', { runs: [{ runId: runs[0] }], steps: [1, 2] }),
    ],
  ],
  [
    'that details show under them',
    [...runs, '', ''],
    [
      ...runs.map((run, index) => executed(`w${index}`, {}, { trace: `t${index}77`, run })),
      ...runs.map((run, index) => read(`w${index}`, { runs: { [run]: `t${index}77` } })),
    ],
  ],
])('identifiers of executions are found %s', (_, expected, session) => {
  expect(rolesIn(session, 'execution')).toEqual(expected)
})

test('small numbers that are identifiers of several kinds are told apart', () => {
  const session = [2, 1, 3].flatMap((count, index) => {
    const id = index + 1
    const steps = Array.from({ length: count }, (_, at) => ({ order: at + 1 }))
    const lines = steps.map(({ order }) => ({ id: 2 * id + order, order }))
    return [
      created({ name: `w${id}`, steps }, { lines, data: { id } }),
      read(id, { data: { id } }),
      executed(id, { document_id: id + 1 }, { data: { id: id + 3, file: id + 1 } }),
    ]
  })
  expect(rolesIn(session, 'workflow').join()).toBe('1,,,2,,,3,,')
  expect(rolesIn(session, 'execution').filter(Boolean).join()).toBe('4,5,6')
})

test('an answer with another code than those of sound requests is a refusal', () => {
  const approvers = [{ email: 'ann@example.com', name: 'Ann' }]
  const steps = [{ step_id: 's1', name: 'Step', order: 1, type: 'approval', approvers, estimated_duration: 5 }]
  const sound = { name: 'Contract', description: '', isSequential: true, steps }
  const head = (returnCode: string, returnMessage: string) => ({ head: { returnCode, returnMessage } })
  const session = [
    created({ ...sound, name: undefined }, head('A-17', 'The element name is missing. '.repeat(20))),
    created(sound, { ...head('0000', 'SUCCESS'), workflow: { id: 'wf-81', name: 'Contract' } }),
    read('wf-81', { ...head('0000', 'SUCCESS'), workflow: { id: 'wf-81' } }),
    read('wf-82', head('A-40', 'Not found')),
  ]
  expect(followIdentifiers(session).map(({ isSuccess }) => isSuccess)).toEqual([false, true, true, false])
})

test('a document that no execution used is found under the name of its file', () => {
  const confirmed = ['a.pdf', 'b.pdf'].map((file_name, index) => {
    const sent = { session_id: `session-${index}`, completed_files: [{ key: `tenants/t/${file_name}`, file_name }] }
    return answered('POST /upload/confirm', sent, {
      size: { [file_name]: 725 },
      docs: { [file_name]: `d894${index}` },
    })
  })
  const used = executed('w1', { document_id: 'd8940', submitter_email: 'sam@example.com' }, { run: 'r1' })
  expect(rolesIn([...confirmed, used], 'document')).toEqual(['d8940', 'd8941', ''])
})
