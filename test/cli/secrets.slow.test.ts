import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { runHere, startedMock } from '../support/command.ts'
import { canaries, canary, mustNotLeak, otherCanary } from '../support/leaks.ts'
import { scratch } from '../support/scratch.ts'
import { addressOf } from '../support/serve.ts'
import { clientOf, workflow } from '../support/service.ts'

type Fetch = (request: Request) => Promise<Response>

/** Runs the suite on a server with two keys. Fails if they, or signatures that the server has given, are in any output. */
async function mustKeepSecrets(fetch: Fetch, signatures: readonly string[] = []) {
  const folder = scratch()
  const args = ['conformance', '--url', await addressOf(fetch), '--settle', '0s', '--report', 'json,junit,html']
  const env = { ...canaries, GITHUB_STEP_SUMMARY: join(folder, 'summary.md') }
  const ended = await runHere(args, env, folder)
  mustNotLeak(ended, folder, [canary, otherCanary, ...signatures])
  return ended
}

/** Creates a sound server whose answers `change` replaces, with the key and with the signature of upload URLs. */
function createTelling(change: (body: Record<string, string>, key: string, signature?: string) => object) {
  const { fetch } = createMock()
  const signatures: string[] = []
  const send: Fetch = async (request) => {
    const key = request.headers.get('Authorization') ?? ''
    const response = await fetch(request)
    const headers = { ...Object.fromEntries(response.headers), 'X-Key': encodeURIComponent(key) }
    const { status } = response
    if (!response.headers.get('Content-Type')?.includes('json')) return new Response(response.body, { status, headers })
    const body = await response.json()
    const signature = body.upload_url?.split('X-Amz-Signature=')[1]
    if (signature) signatures.push(signature)
    return new Response(JSON.stringify({ ...body, ...change(body, key, signature) }), { status, headers })
  }
  return { send, signatures }
}

const spellings = (secret: string) => ({
  raw: secret,
  url: encodeURIComponent(secret),
  text: `you sent ${secret}!`,
  twice: JSON.stringify({ secret }),
  base64: btoa(`key:${secret}`),
  hex: Buffer.from(secret).toString('hex'),
  withoutPrefix: secret.slice(5),
  part: secret.slice(7, 15),
  partInBase64: btoa(secret.slice(7, 15)),
  partInHex: Buffer.from(secret.slice(7, 15)).toString('hex'),
  partInUrl: encodeURIComponent(secret.slice(9, 17)),
  end: secret.slice(-8),
  [secret]: 'as a name',
  [secret.slice(-8)]: 'as a name',
})

test('keys and signatures that a server repeats, and checks quote, are in no output', async () => {
  let address = ''
  const { send, signatures } = createTelling((body, key, signature) => {
    address = body.upload_url ?? address
    // The name is long enough to be cut in the middle of the key.
    const told = {
      description: `for ${key} at ${address}`,
      name: `${'x'.repeat(170)}${key}`,
      priority: `${key}${address}`,
    }
    return {
      ...Object.fromEntries(Object.entries(told).filter(([name]) => name in body)),
      ...spellings(key),
      ...(signature && { signature: spellings(signature) }),
    }
  })
  const { code, stdout } = await mustKeepSecrets(send, signatures)
  expect([code, stdout]).toEqual([1, expect.stringMatching(/fail +workflow\.description.*is shown as "for \*\*\*/)])
  expect([signatures.length > 2, stdout]).toEqual([true, expect.stringContaining('Report: ')])
})

test.each<[string, Fetch]>([
  ['refuses the key and repeats it', async ({ headers }) => new Response(`no: ${[...headers]}`, { status: 401 })],
  ['fails with the key in its trace', async ({ headers }) => new Response(`at ${[...headers]}`, { status: 500 })],
  ['breaks off', async () => new Response(new ReadableStream({ start: (it) => it.error(new Error(canary)) }))],
])('with a server that %s, no output has the keys', async (_, fetch) => {
  expect((await mustKeepSecrets(fetch)).code).not.toBe(0)
})

test('the mock shows keys, tokens and signatures in no output, file or log', async () => {
  const folder = scratch()
  const token = 'admin-cAnArY%&"Zz5~'
  const args = ['--journal', join(folder, 'journal.jsonl')]
  const { url, stop } = await startedMock(args, { COUNTERSIGN_ADMIN_TOKEN: token })
  const { call, put, requested } = clientOf({ url }, canary)
  const upload = await requested('a', 1, 'text/plain')
  const type = { 'Content-Type': 'text/plain' }
  const read = (headers: Record<string, string>, path = '/api/v1/workflows/x') => call('GET', path, undefined, headers)
  const answers = [
    await call('POST', '/api/v1/workflows', workflow()),
    await put(upload.upload_url, 'x', { ...type, Authorization: canary }),
    await put(`${upload.upload_url}x`, 'x', type),
    await put(upload.upload_url, 'x', type),
    await read({ Authorization: `Bearer ${canary}` }),
    await read({ Authorization: '', 'X-API-Key': canary }),
    await read({ Authorization: `live_${canary}` }),
    await read({ 'X-Admin-Token': `${token}x` }, '/__admin/health'),
  ].map(({ text, headers }) => text + JSON.stringify([...headers]))
  for (const path of ['journal', 'requests', 'settings', 'scenarios', 'health']) {
    answers.push((await read({ 'X-Admin-Token': token }, `/__admin/${path}`)).text)
  }
  const { stdout, stderr } = await stop()
  const signature = upload.upload_url.split('X-Amz-Signature=')[1]
  mustNotLeak({ stdout: stdout + answers.join('\n'), stderr }, folder, [canary, token, signature])
})
