/** What is learned of the tenants in storage keys, and of upload URLs, and how a mock shows both. */
import { expect, test } from 'vitest'
import { plans, takeLesson } from '../../conformance/learning/lesson.ts'
import { Places } from '../../conformance/learning/roles.ts'
import { virtualTime } from '../../conformance/selftest/virtual-time.ts'
import { Target } from '../../conformance/wire/target.ts'
import { createMock } from '../../src/index.ts'
import { learnFrom } from '../../src/learn/learn.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { freshKey } from '../support/service.ts'

/** Learns a mock that answers like this profile. */
async function learnLike(profile: Partial<Profile>): Promise<Profile> {
  const mock = createMock({ clockSpeed: 0, like: { version: 1, approvers: 'manual', ...profile } })
  const apiKey = freshKey()
  const target = new Target({ url: 'http://there.test', apiKey, fetch: mock.fetch, time: virtualTime() })
  const plan = { ...plans.learning, prefix: 'learn-4c1d-k3f9a2' }
  const { exchanges } = await takeLesson(plan, { target, places: new Places(), settleMs: 0 })
  return (await learnFrom(exchanges, { apiKey })).profile
}

const shown = ['upload_url', 'session_id', 'key'].map((name) => [name, { $: `/answer/${name}` }])
const answers = {
  requestUpload: {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Object.fromEntries(shown),
  },
}

/** Sends uploads to a mock. */
function uploader(like: Partial<Profile>) {
  const mock = createMock({ like: { version: 1, answers, ...like } })
  return async (key = freshKey()) => {
    const post = async (path: string, body: object) => {
      const headers = { Authorization: key, 'Content-Type': 'application/json' }
      const answer = await mock.fetch(`http://mock.test${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      return { status: answer.status, body: await answer.json() }
    }
    const file = { file_name: 'Übersicht.pdf', content_type: 'application/pdf', file_size: 3 }
    const { upload_url, session_id, key: storageKey } = (await post('/api/v1/upload/', file)).body
    const put = (url: string) =>
      mock.fetch(url, { method: 'PUT', headers: { 'Content-Type': 'application/pdf' }, body: 'abc' })
    const completed_files = [{ key: storageKey, file_name: file.file_name }]
    const confirm = () => post('/api/v1/upload/confirm', { session_id, completed_files })
    return { url: String(upload_url), key: String(storageKey), put, confirm }
  }
}

const tenant = { $text: ['mandant-', { $new: 'digits', length: 3 }] }

test.each([
  ['letters before a number', tenant],
  ['a UUID', { $text: [{ $new: 'uuid' }] }],
  ['a word', { $text: ['acme-', { $new: 'lower', length: 7 }] }],
])('the form of a tenant in storage keys is learned: %s', async (_, form) => {
  const { identifiers } = await learnLike({ identifiers: { tenant: form } })
  expect(identifiers?.tenant).toEqual(form)
})

test('a tenant named as the mock names tenants needs no form', async () => {
  expect((await learnLike({})).identifiers).not.toHaveProperty('tenant')
})

test('a file is stored under a key that shows its tenant by a name', async () => {
  const upload = uploader({ identifiers: { tenant } })
  const [key, otherKey] = [freshKey(), freshKey()]
  const [one, again, other] = [await upload(key), await upload(key), await upload(otherKey)]
  expect([one.key, again.key, other.key].map((each) => each.split('/')[1])).toEqual([
    expect.stringMatching(/^mandant-\d{3}$/),
    one.key.split('/')[1],
    expect.stringMatching(/^mandant-\d{3}$/),
  ])
  expect([(await one.put(one.url)).status, (await one.confirm()).status]).toEqual([200, 200])
  expect((await again.confirm()).status).toBe(409)
})

test('no two tenants share a name, even if there are fewer names than tenants', async () => {
  const upload = uploader({ identifiers: { tenant: { $new: 'digits', length: 1 } } })
  const names = new Set<string | undefined>()
  for (let count = 0; count < 15; count += 1) names.add((await upload()).key.split('/')[1])
  expect(names.size).toBe(15)
})

const opaque = { $text: ['/ablage/einwurf/', { $new: 'base64url', length: 24 }] }

test('an upload URL has the form of the deployment, and takes the file', async () => {
  const upload = uploader({ uploadUrl: opaque })
  const [one, other] = [await upload(), await upload()]
  const { pathname, search } = new URL(one.url)
  expect(pathname + search).toMatch(/^\/ablage\/einwurf\/[\w-]{24}$/)
  expect((await other.put(`${other.url.slice(0, -1)}${other.url.endsWith('a') ? 'b' : 'a'}`)).status).toBe(403)
  expect((await other.confirm()).status).toBe(409)
  expect([(await one.put(one.url)).status, (await one.confirm()).status]).toEqual([200, 200])
})

test('uploads with fewer forms of URLs than uploads still have one each', async () => {
  const upload = uploader({ uploadUrl: { $text: ['/put/', { $new: 'digits', length: 1 }] } })
  const all = await Promise.all(Array.from({ length: 15 }, () => upload()))
  expect(new Set(all.map(({ url }) => url)).size).toBe(15)
  const statuses = await Promise.all(
    all.map(async (one) => [(await one.put(one.url)).status, (await one.confirm()).status]),
  )
  expect(statuses).toEqual(all.map(() => [200, 200]))
})
