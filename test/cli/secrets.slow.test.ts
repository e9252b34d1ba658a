import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { run, runHere, start } from '../support/command.ts'
import { canaries, canary, mustNotLeak, otherCanary } from '../support/leaks.ts'
import { scratch } from '../support/scratch.ts'
import { serve } from '../support/serve.ts'
import { workflow } from '../support/service.ts'

/** Creates a sound server that shows the key and a signed URL in texts that checks quote. */
function createQuoted() {
  const { fetch } = createMock()
  const signatures: string[] = []
  let address = ''
  const send = async (request: Request) => {
    const key = request.headers.get('Authorization') ?? ''
    const response = await fetch(request)
    if (!response.headers.get('Content-Type')?.includes('json')) return response
    const body = await response.json()
    address = body.upload_url ?? address
    const signature = body.upload_url?.split('X-Amz-Signature=')[1]
    if (signature) signatures.push(signature)
    // The name is long enough to be cut in the middle of the key.
    const told = {
      description: `for ${key} at ${address}`,
      name: `${'x'.repeat(170)}${key}`,
      priority: `${key}${address}`,
    }
    const shown = Object.fromEntries(Object.entries(told).filter(([name]) => name in body))
    return new Response(JSON.stringify({ ...body, ...shown }), response)
  }
  return { send, signatures }
}

test('a run whose checks quote the key and a signature never shows them', async () => {
  const folder = scratch()
  const { send, signatures } = createQuoted()
  const { url, close } = await serve(send)
  const args = ['conformance', '--url', url, '--settle', '0s', '--report', 'json,junit,html']
  const ended = await runHere(args, canaries, folder)
  close()
  expect(ended.code).toBe(1)
  expect(ended.stdout).toMatch(/fail +workflow\.description.*is shown as "for \*\*\*/)
  expect(signatures.length).toBeGreaterThan(2)
  mustNotLeak(ended, folder, [canary, otherCanary, ...signatures])
})

/** Creates a sound server that shows the key and the signature in every answer, in many encodings. */
function createIndiscreet() {
  const { fetch } = createMock()
  const signatures: string[] = []
  const shown = (secret: string) => ({
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
  const send = async (request: Request) => {
    const key = request.headers.get('Authorization') ?? ''
    const response = await fetch(request)
    const headers = new Headers(response.headers)
    headers.set('X-Key', encodeURIComponent(key))
    if (!headers.get('Content-Type')?.includes('json'))
      return new Response(response.body, { status: response.status, headers })
    const body = await response.json()
    const signature = body.upload_url?.split('X-Amz-Signature=')[1]
    if (signature) signatures.push(signature)
    const more = { ...shown(key), ...(signature && { signature: shown(signature) }) }
    return new Response(JSON.stringify({ ...body, ...more }), { status: response.status, headers })
  }
  return { send, signatures }
}

test('keys and signatures that a server repeats appear in no output', async () => {
  const folder = scratch()
  const { send, signatures } = createIndiscreet()
  const { url, close } = await serve(send)
  const summary = { GITHUB_STEP_SUMMARY: join(folder, 'summary.md') }
  const ended = await run(
    ['conformance', '--url', url, '--report', 'json,junit,html'],
    { ...canaries, ...summary },
    folder,
  )
  close()
  expect(signatures.length).toBeGreaterThan(2)
  expect(ended.stdout).toContain('Report: ')
  mustNotLeak(ended, folder, [canary, otherCanary, ...signatures])
})

test.each([
  [
    'refuses the key and repeats it',
    async (request: Request) => new Response(`no: ${[...request.headers]}`, { status: 401 }),
  ],
  [
    'fails with the key in its trace',
    async (request: Request) => new Response(`at ${[...request.headers]}`, { status: 500 }),
  ],
  ['breaks off', async () => new Response(new ReadableStream({ start: (it) => it.error(new Error(canary)) }))],
])('with a server that %s, no output has the keys', async (_, fetch) => {
  const folder = scratch()
  const { url, close } = await serve(fetch)
  const args = ['conformance', '--url', url, '--settle', '0s', '--report', 'json,junit,html']
  const ended = await runHere(args, canaries, folder)
  close()
  expect(ended.code).not.toBe(0)
  mustNotLeak(ended, folder, [canary, otherCanary])
})

test('the mock shows keys, tokens and signatures in no output, file or log', async () => {
  const folder = scratch()
  const token = 'admin-cAnArY%&"Zz5~'
  const args = ['mock', '--port', '0', '--json', '--journal', join(folder, 'journal.jsonl')]
  const { child, printed, ended } = start(args, { COUNTERSIGN_ADMIN_TOKEN: token })
  const { url } = JSON.parse(await printed('\n'))
  const headers = { Authorization: canary, 'Content-Type': 'application/json' }
  const post = async (path: string, body: object) => {
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return answer.json()
  }
  const seen = [JSON.stringify(await post('/api/v1/workflows', workflow()))]
  const upload = await post('/api/v1/upload/', { file_name: 'a', content_type: 'text/plain', file_size: 1 })
  const put = (address: string, more = {}) =>
    fetch(address, { method: 'PUT', headers: { 'Content-Type': 'text/plain', ...more }, body: 'x' })
  const signature = upload.upload_url.split('X-Amz-Signature=')[1]
  for (const answer of [
    await put(upload.upload_url, { Authorization: canary }),
    await put(`${upload.upload_url}x`),
    await put(upload.upload_url),
    await fetch(`${url}/api/v1/workflows/x`, { headers: { Authorization: `Bearer ${canary}` } }),
    await fetch(`${url}/api/v1/workflows/x`, { headers: { 'X-API-Key': canary } }),
    await fetch(`${url}/api/v1/workflows/x`, { headers: { Authorization: `live_${canary}` } }),
    await fetch(`${url}/__admin/health`, { headers: { 'X-Admin-Token': `${token}x` } }),
  ]) {
    seen.push(await answer.text(), JSON.stringify([...answer.headers]))
  }
  for (const path of ['/journal', '/requests', '/settings', '/scenarios', '/health']) {
    seen.push(await (await fetch(`${url}/__admin${path}`, { headers: { 'X-Admin-Token': token } })).text())
  }
  child.kill('SIGTERM')
  const { stdout, stderr } = await ended
  mustNotLeak({ stdout: stdout + seen.join('\n'), stderr }, folder, [canary, token, signature])
})
