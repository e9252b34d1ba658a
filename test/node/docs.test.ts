import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import { staticFiles } from '../../src/node/static-files.ts'
import { sharedScratch } from '../support/scratch.ts'
import { sharedMock } from '../support/started.ts'

const folder = sharedScratch()
const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
write('index.html', '<p>First page')
write('openapi.yaml', 'openapi: 3.1.0')
for (const name of ['.hidden.html', 'program.sh']) write(name, 'secret')
const server = await sharedMock({ storagePort: 0, docs: folder })

test('the address without a slash redirects to the first page', async () => {
  const { headers } = await supertest(server.url).get('/docs').expect(308)
  expect(new URL(headers.location ?? '', `${server.url}/docs`).pathname).toBe('/docs/')
  await supertest(server.url)
    .get('/docs/')
    .expect(200, '<p>First page')
    .expect('Content-Type', /^text\/html/)
})

test('a file is served as what it is, and HEAD has no body', async () => {
  const yaml = await supertest(server.url)
    .get('/docs/openapi.yaml')
    .expect(200)
    .expect('Content-Type', 'application/yaml')
  expect(yaml.headers['x-content-type-options']).toBe('nosniff')
  const head = await supertest(server.url).head('/docs/index.html').expect(200)
  expect(head.text).toBeUndefined()
})

test.each([
  '/docs/none.html',
  '/docs/.hidden.html',
  '/docs/program.sh',
  '/docs/../package.json',
  '/docs/..%2f..%2fetc%2fpasswd',
  '/docs/a/index.html',
  '/docsindex.html',
])('%s is not there', async (path) => {
  const { body } = await supertest(server.url).get(path).expect(404)
  expect(body.code).toBe('unknown-path')
})

test('other methods and storage calls are refused there', async () => {
  await supertest(server.url).post('/docs/index.html').expect(404)
  await supertest(server.storageUrl).get('/docs/').expect(404)
})

test('samples have the address that the client calls, and the key of the examples', async () => {
  const samples = [
    '{"source":"curl \\"$COUNTERSIGN_URL/api\\" \\\\\\n  --header \\"Authorization: $COUNTERSIGN_API_KEY\\""}',
    "const { COUNTERSIGN_URL = '', COUNTERSIGN_API_KEY = '' } = process.env\\n",
    'createClient({ baseUrl: COUNTERSIGN_URL, apiKey: COUNTERSIGN_API_KEY })',
    'http://127.0.0.1:4010/storage',
  ]
  write('samples.html', samples.join('\n'))
  const textAt = async (host: string) =>
    (await supertest(server.url).get('/docs/samples.html').set('Host', host).expect(200)).text
  const adapted = (url: string) =>
    [
      `{"source":"curl \\"${url}/api\\" \\\\\\n  --header \\"Authorization: test_demo\\""}`,
      '',
      `createClient({ baseUrl: '${url}', apiKey: 'test_demo' })`,
      `${url}/storage`,
    ].join('\n')
  expect(await textAt('mock.test:8080')).toBe(adapted('http://mock.test:8080'))
  expect(await textAt('other.test')).toBe(adapted('http://other.test'))
  // A shell would run the command.
  expect(await textAt('$(id).test')).toBe(samples.join('\n'))
})

test('answers share the memory of a file until it changes', () => {
  const find = staticFiles(folder, { '.html': 'text/html' })
  expect(find('index.html')).toBe(find('index.html'))
  write('changing.html', 'one')
  const before = find('changing.html')
  write('changing.html', 'another')
  expect([before?.body, find('changing.html')?.body].map(String)).toEqual(['one', 'another'])
})
