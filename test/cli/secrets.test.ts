import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { notePasswords, noteSecret, redactSecrets } from '../../src/cli/secrets.ts'
import { createMock } from '../../src/index.ts'
import { type Ended, run, runHere, start } from '../support/command.ts'
import { escapings, packings, runsIn } from '../support/encodings.ts'
import { everythingIn, leakFinder, leaksOf } from '../support/leaks.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { scratch } from '../support/scratch.ts'
import { serve } from '../support/serve.ts'
import { workflow } from '../support/service.ts'

/** A key that looks different in every encoding. */
const canary = 'test_cAnArY"&<\\%/+=?Zz9~qT4x'
const other = 'test_0tHeR-canary<&>"Zz8~pL7w'
const env = { COUNTERSIGN_API_KEY: canary, COUNTERSIGN_API_KEY_2: other }

/** Returns the number of consecutive characters of a secret that are a leak. Signatures may share short runs with public texts. */
const lengthOf = (secret: string) => ([canary, other].includes(secret) ? 8 : 12)

function mustNotLeak({ stdout, stderr }: Pick<Ended, 'stdout' | 'stderr'>, folder: string, secrets: readonly string[]) {
  for (const [where, text] of nonEmpty(Object.entries({ stdout, stderr, files: everythingIn(folder) }))) {
    const find = leakFinder(text)
    for (const secret of nonEmpty(secrets)) {
      expect({ where, leaks: find(secret, lengthOf(secret)) }).toEqual({ where, leaks: [] })
    }
  }
}

test('the search finds every kind of leak', () => {
  const hex = Buffer.from(canary).toString('hex')
  for (const how of [
    ...[canary, encodeURIComponent(canary), encodeURIComponent(canary).toLowerCase(), JSON.stringify(canary)],
    ...[btoa(canary), btoa(`x${canary}`), hex, hex.toUpperCase(), hex.replaceAll(/../g, '%$&')],
    ...[canary.slice(0, 8), canary.slice(9, 17), canary.slice(-8), hex.slice(0, 16), hex.slice(-16)],
    ...[btoa(canary.slice(7, 15)), encodeURIComponent(canary.slice(9, 17))],
  ]) {
    expect({ how, leaks: leaksOf(`before ${how} after`, canary, 8) }).not.toEqual({ how, leaks: [] })
  }
})

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
  const ended = await runHere(args, env, folder)
  close()
  expect(ended.code).toBe(1)
  expect(ended.stdout).toMatch(/fail +workflow\.description.*is shown as "for \*\*\*/)
  expect(signatures.length).toBeGreaterThan(2)
  mustNotLeak(ended, folder, [canary, other, ...signatures])
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
  const ended = await run(['conformance', '--url', url, '--report', 'json,junit,html'], { ...env, ...summary }, folder)
  close()
  expect(signatures.length).toBeGreaterThan(2)
  expect(ended.stdout).toContain('Report: ')
  mustNotLeak(ended, folder, [canary, other, ...signatures])
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
  const ended = await runHere(args, env, folder)
  close()
  expect(ended.code).not.toBe(0)
  mustNotLeak(ended, folder, [canary, other])
})

test.each([
  ['an address where nothing listens', ['--url', 'http://127.0.0.1:1'], 4],
  ['a plan', ['--url', 'http://127.0.0.1:1', '--dry-run'], 2],
  ['the key as an option', ['--api-key', canary], 3],
  ['the key in an option', [`--api-key=${canary}`], 3],
  ['the key as an argument', [canary], 3],
  ['the key in the address', ['--url', `http://${canary}@127.0.0.1/`], 3],
  ['the key as a query', ['--url', `http://127.0.0.1/?key=${encodeURIComponent(canary)}`], 3],
  ['the key as a check', ['--only', canary], 3],
  ['a profile that is called so', ['--profile', canary], 3],
  [
    'a folder that cannot be',
    ['--report-dir', `/dev/null/${encodeURIComponent(canary)}`, '--only', 'workflow.name'],
    4,
  ],
])('%s: the key is not shown', async (_, args, code) => {
  const folder = scratch()
  const mine = code === 4 && args[0] === '--report-dir' ? { ...env, COUNTERSIGN_URL: '' } : env
  const ended = await runHere(['conformance', ...args], mine, folder)
  expect(ended.code).toBe(code)
  mustNotLeak(ended, folder, [canary, other])
})

test('an unknown command that equals the key is not shown', async () => {
  const folder = scratch()
  const ended = await runHere([canary], env, folder)
  expect(ended.code).toBe(3)
  mustNotLeak(ended, folder, [canary])
})

test('a baseline or profile that contains the key is refused without showing it', async () => {
  const folder = scratch()
  writeFileSync(join(folder, 'a.json'), JSON.stringify({ [canary]: 1 }))
  writeFileSync(join(folder, 'b.json'), canary)
  const stated = ['a.json', 'b.json'].flatMap((file) => [
    ['--profile', file],
    ['--baseline', file],
  ])
  for (const args of nonEmpty(stated)) {
    const { code, stdout, stderr } = await runHere(['conformance', ...args], env, folder)
    expect(code).toBe(3)
    // No other files are written.
    expect(readdirSync(folder).sort()).toEqual(['a.json', 'b.json'])
    for (const text of [stdout, stderr]) expect(leaksOf(text, canary, 8)).toEqual([])
  }
})

test.each(['test_line\nbreak', 'test_line\rbreak', 'test_schlüssel', 'test_key with space', 'test_\u200b'])(
  'the key %j is refused when it is read, and not repeated',
  async (key) => {
    for (const name of ['COUNTERSIGN_API_KEY', 'COUNTERSIGN_API_KEY_2']) {
      const all = { COUNTERSIGN_API_KEY: 'test_sound', [name]: key }
      const { code, stdout, stderr } = await runHere(['conformance', '--url', 'http://127.0.0.1:1'], all)
      expect([code, stdout]).toEqual([3, ''])
      expect(stderr).toBe(
        `${name} has a space, a line break or a character outside ASCII. Set it to the value alone, or leave it out.\n`,
      )
    }
  },
)

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

test('a key with a scheme is refused with the reason, and not repeated', async () => {
  const env = { COUNTERSIGN_API_KEY: 'Bearer test_key' }
  const { code, stdout, stderr } = await runHere(['conformance', '--url', 'http://127.0.0.1:1'], env)
  expect([code, stdout]).toEqual([3, ''])
  expect(stderr).toMatch(/^COUNTERSIGN_API_KEY begins with a scheme, but keys are sent without one/)
  expect(stderr).not.toContain('test_key')
})

const secret = 'cAnArY+/=&<>"Zz9~qT4x%K'
test.each([
  ['a key', () => vi.stubEnv('COUNTERSIGN_API_KEY_B_2', secret)],
  ['an admin token', () => vi.stubEnv('COUNTERSIGN_ADMIN_TOKEN', secret)],
  ['a credential for S3', () => vi.stubEnv('AWS_SECRET_ACCESS_KEY', secret)],
  ['a password of a database', () => vi.stubEnv('PGPASSWORD', secret)],
  ['a password in an address', () => notePasswords(['mock', `postgres://me:${encodeURIComponent(secret)}@db/x`])],
  ['a value of a header', () => noteSecret(secret)],
])('%s is in no message, in any encoding', (_, provide) => {
  onTestFinished(() => void vi.unstubAllEnvs())
  provide()
  for (const { name, write, read } of nonEmpty([...escapings, ...packings])) {
    const text = redactSecrets(`It failed: ${write(secret)}.`)
    expect({ name, text }).toEqual({ name, text: expect.stringMatching(/^It failed: .*\*\*\*key\*\*\*/) })
    expect(runsIn(read(text), secret)).toEqual([])
  }
})
