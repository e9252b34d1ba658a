/** How a mock shows the tenants in storage keys, and upload URLs, as a deployment does. */
import { expect, test } from 'vitest'
import type { Profile } from '../../src/profile/profile.ts'
import { clientOf, type Upload } from '../support/service.ts'
import { mockLike } from './lessons.ts'

type Client = ReturnType<typeof clientOf>

const request = ({ requested }: Client): Promise<Upload> => requested('Übersicht.pdf', 3)
const finish = async ({ store, confirm }: Client, upload: Upload) => [
  (await store(upload, 'abc')).status,
  (await confirm(upload)).status,
]
const tenantOf = ({ key }: Upload) => key.split('/')[1]
/** A deployment whose upload URLs have this form. */
const withUrls = (uploadUrl: NonNullable<Profile['uploadUrl']>) => {
  const names = ['upload_url', 'session_id', 'key', 'headers']
  const body = Object.fromEntries(names.map((name) => [name, { $: `/answer/${name}` }]))
  const requestUpload = { status: 200, headers: { 'content-type': 'application/json' }, body }
  return clientOf(mockLike({ uploadUrl, answers: { requestUpload } }))
}
const fifteen = Array.from({ length: 15 })

test('a file is stored under a key that shows its tenant by a name', async () => {
  const mock = mockLike({ identifiers: { tenant: { $text: ['mandant-', { $new: 'digits', length: 3 }] } } })
  const client = clientOf(mock)
  const [one, again, other] = [await request(client), await request(client), await request(clientOf(mock))]
  const name = expect.stringMatching(/^mandant-\d{3}$/)
  expect([one, again, other].map(tenantOf)).toEqual([name, tenantOf(one), name])
  expect(await finish(client, one)).toEqual([200, 200])
  expect((await client.confirm(again)).status).toBe(409)
})

test('no two tenants share a name, even if there are fewer names than tenants', async () => {
  const mock = mockLike({ identifiers: { tenant: { $new: 'digits', length: 1 } } })
  const uploads = await Promise.all(fifteen.map(() => request(clientOf(mock))))
  expect(new Set(uploads.map(tenantOf)).size).toBe(15)
})

test('an upload URL has the form of the deployment, and takes the file', async () => {
  const client = withUrls({ $text: ['/ablage/einwurf/', { $new: 'base64url', length: 24 }] })
  const [one, other] = [await request(client), await request(client)]
  expect(one.upload_url).toMatch(/^http:\/\/[^/]+\/ablage\/einwurf\/[\w-]{24}$/)
  const wrong = other.upload_url.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
  expect((await client.store({ ...other, upload_url: wrong }, 'abc')).status).toBe(403)
  expect((await client.confirm(other)).status).toBe(409)
  expect(await finish(client, one)).toEqual([200, 200])
})

test('uploads with fewer forms of URLs than uploads still have one each', async () => {
  const client = withUrls({ $text: ['/put/', { $new: 'digits', length: 1 }] })
  const all = await Promise.all(fifteen.map(() => request(client)))
  expect(new Set(all.map(({ upload_url }) => upload_url)).size).toBe(15)
  const statuses = await Promise.all(all.map((one) => finish(client, one)))
  expect(statuses).toEqual(all.map(() => [200, 200]))
})
