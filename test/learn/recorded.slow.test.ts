import { expect, test } from 'vitest'
import { readHar } from '../../conformance/session/read-har.ts'
import { learnRecording } from '../../src/learn/learn-deployment.ts'
import { flawOf } from '../../src/profile/profile.ts'
import { harOf } from '../../src/session/har.ts'
import { clientOf, freshKey } from '../support/service.ts'
import { lessonOn, mockLike } from './lessons.ts'
import { executionPaths, listed, single, started } from './lists.ts'

const answers = { listWorkflows: listed, executeWorkflow: started, getExecution: single }

/** A deployment that has workflows of others, and headers that no profile can have. */
const apiKey = freshKey()
const mock = mockLike({ accepts: ['document-not-confirmed'], executionPaths, answers }, { cors: false })
for (const name of ['Payroll', 'Merger']) await clientOf(mock, apiKey).created({ name })
const { exchanges } = await lessonOn(
  async (request) => {
    const { status, headers, body } = await mock.fetch(request)
    for (const name of ['Set-Cookie', 'Refresh', 'X-Content-Type-Options']) headers.set(name, 'a')
    return new Response(body, { status, headers })
  },
  { apiKey },
)

test('own lists and single executions are learned, and no headers that act', async () => {
  const { profile, lesson, leftOut } = await learnRecording(exchanges, { apiKey, hints: {} })
  expect(profile.answers?.listWorkflows).toEqual(listed)
  expect(profile.answers?.getExecution).toEqual(single)
  expect(profile.executionPaths?.toSorted()).toEqual(executionPaths)
  expect(lesson.guesses.filter(({ answer }) => answer === 'listWorkflows')).toEqual([])
  expect(leftOut).toEqual(['content-security-policy', 'refresh', 'set-cookie'])
  expect(flawOf(profile)).toBeUndefined()
  expect(exchanges.map(({ bytes }) => new TextDecoder().decode(bytes)).join()).not.toMatch(/Payroll|Merger/)
})

test('a list in a session that was recorded elsewhere is learned as well', async () => {
  const har = harOf(exchanges, { redact: (text) => text, creator: { name: 'a browser', version: '1' } })
  const session = readHar(har, { keepsLists: true })
  const { profile } = await learnRecording(session.exchanges, { apiKey: session.apiKey, hints: {} })
  expect(profile.answers?.listWorkflows).toMatchObject({ body: listed.body })
  expect(readHar(har).exchanges.length).toBeLessThan(session.exchanges.length)
})
