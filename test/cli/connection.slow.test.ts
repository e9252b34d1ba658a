import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createSecureServer } from 'node:http2'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serveOverHttp } from '../../conformance/selftest/over-http.ts'
import { reference } from '../../conformance/selftest/reference.ts'
import { certificate, key } from '../support/certificate.ts'
import { run, runHere } from '../support/command.ts'
import { everythingIn } from '../support/leaks.ts'
import { scratch } from '../support/scratch.ts'

const env = { COUNTERSIGN_API_KEY: 'test_connection', HTTP_PROXY: '', HTTPS_PROXY: '', NO_PROXY: '' }

/** Starts a server on a free port. `close` also ends its connections, including tunnels. */
async function listen(server: Server) {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => void sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { port: (server.address() as AddressInfo).port, close }
}

/** Creates the reference with a self-signed certificate. Its upload URLs lead to itself. */
function createSecure() {
  const fetch = reference()
  return createTlsServer({ key, cert: certificate }, (incoming, outgoing) =>
    serveOverHttp((request) => fetch(new Request(request.url.replace('http:', 'https:'), request)), incoming, outgoing),
  )
}

test('a self-signed certificate is refused with both cures, and --insecure works', async () => {
  const folder = scratch()
  const { port, close } = await listen(createSecure())
  const args = ['conformance', '--url', `https://localhost:${port}`, '--report', 'json,junit,html']
  const refused = await runHere(args, env, folder)
  const unchecked = await run([...args, '--insecure'], env, folder)
  close()
  expect(refused.code).toBe(4)
  expect(refused.stderr).toMatch(/\(DEPTH_ZERO_SELF_SIGNED_CERT\)\. .* --cacert FILE, or add --insecure/)
  expect(unchecked.code).toBe(0)
  expect(unchecked.stdout).toContain('Warning: certificates were not checked (--insecure)')
  expect(everythingIn(folder).match(/Warning: certificates were not checked/g)?.length).toBeGreaterThanOrEqual(3)
})

test('a server with only HTTP/2 is reported as one', async () => {
  const { port, close } = await listen(createSecureServer({ key, cert: certificate }) as unknown as Server)
  const args = ['conformance', '--url', `https://localhost:${port}`, '--insecure']
  const { code, stderr } = await runHere(args, env, scratch())
  close()
  expect(code).toBe(4)
  expect(stderr).toContain('It does not offer HTTP/1.1, perhaps only HTTP/2.')
})

test('a URL of the wrong scheme gets the right one as advice', async () => {
  const secure = await listen(createSecure())
  const plain = await listen(createServer((_, response) => response.end()))
  const toSecure = await runHere(['conformance', '--url', `http://localhost:${secure.port}`], env, scratch())
  const toPlain = await runHere(['conformance', '--url', `https://localhost:${plain.port}`], env, scratch())
  secure.close()
  plain.close()
  expect([toSecure.code, toPlain.code]).toEqual([4, 4])
  expect(toSecure.stderr).toContain('If it uses TLS, start the URL with https://.')
  expect(toPlain.stderr).toContain('It does not use TLS. Start the URL with http://')
})

test.each([
  ['407 Proxy Authentication Required', 'Put them into its URL, in front of the host.'],
  ['403 Forbidden', 'Allow the address in the proxy, or list the host in NO_PROXY.'],
])('a proxy that answers %s is named, with a cure', async (status, cure) => {
  const refusing = createServer()
  refusing.on('connect', (_, socket) => socket.end(`HTTP/1.1 ${status}\r\n\r\n`))
  const { port, close } = await listen(refusing)
  const proxies = { ...env, HTTPS_PROXY: `http://me:canary-word@127.0.0.1:${port}` }
  const { code, stderr } = await runHere(['conformance', '--url', 'https://approvals.example'], proxies, scratch())
  close()
  expect(code).toBe(4)
  expect(stderr).toContain(`through the proxy 127.0.0.1:${port} (Proxy response (${status.slice(0, 3)})`)
  expect(stderr).toContain(cure)
  expect(stderr).not.toContain('canary-word')
})

test('a proxy that is down is named, unless NO_PROXY excludes the host', async () => {
  const { port, close } = await listen(createServer())
  close()
  const proxies = { ...env, HTTPS_PROXY: `http://127.0.0.1:${port}` }
  const args = ['conformance', '--url', 'https://a.invalid']
  const through = await runHere(args, proxies, scratch())
  const direct = await runHere(args, { ...proxies, NO_PROXY: '.invalid' }, scratch())
  expect(through.stderr).toMatch(/through the proxy 127\.0\.0\.1:\d+ \(ECONNREFUSED\)\. Check HTTPS_PROXY/)
  expect(direct.stderr).toMatch(/^https:\/\/a\.invalid cannot be reached \(\w+\)\. Check the address/)
})

test.each(['missing.pem', 'empty.pem'])('--cacert %s is bad configuration, in one line', async (name) => {
  const folder = scratch()
  writeFileSync(join(folder, 'empty.pem'), '')
  const { code, stderr } = await runHere(['conformance', '--url', 'https://a.test', '--cacert', name], env, folder)
  expect(code).toBe(3)
  expect(stderr).toMatch(/^[^\n]*Name a PEM file[^\n]*\n$/)
})

test.each([
  ['http', 'HTTP_PROXY', ''],
  ['https', 'HTTPS_PROXY', 'authority.pem'],
])('a deployment with %s is reached through %s, and --cacert works', async (scheme, name, authority) => {
  const folder = scratch()
  writeFileSync(join(folder, 'authority.pem'), certificate)
  const fetch = reference()
  const plain = createServer((incoming, outgoing) => serveOverHttp(fetch, incoming, outgoing))
  const behind = await listen(scheme === 'https' ? createSecure() : plain)
  const asked = new Set<string>()
  const tunnel = createServer((incoming, outgoing) => serveOverHttp(fetch, incoming, outgoing))
  tunnel.on('connect', ({ url = '' }, socket) => {
    asked.add(url)
    const through = connect(behind.port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
    through.pipe(socket).pipe(through)
    for (const one of [socket, through]) one.on('error', () => one.destroy())
  })
  const proxy = await listen(tunnel)
  const args = ['conformance', '--url', `${scheme}://approvals.example`, '--rate-limit', '1000']
  const cacert = authority ? ['--cacert', authority] : []
  const { code, stdout, stderr } = await runHere(
    [...args, ...cacert],
    { ...env, [name]: `127.0.0.1:${proxy.port}` },
    folder,
  )
  behind.close()
  proxy.close()
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout + everythingIn(folder)).not.toContain('certificates were not checked')
  expect([...asked]).toEqual([`approvals.example:${scheme === 'https' ? 443 : 80}`])
})

test('a proxy is not asked for an address that is more private than the service', async () => {
  const fetch = reference()
  const inward = async (request: Request) => {
    const response = await fetch(request)
    const text = await response.text()
    return new Response(
      text.replace(/"upload_url":"https?:\/\/[^/]*/, '"upload_url":"http://10.0.0.7') || null,
      response,
    )
  }
  const behind = await listen(createServer((incoming, outgoing) => serveOverHttp(inward, incoming, outgoing)))
  const asked = new Set<string>()
  const tunnel = createServer()
  tunnel.on('connect', ({ url = '' }, socket) => {
    asked.add(url)
    const through = connect(behind.port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
    through.pipe(socket).pipe(through)
    for (const one of [socket, through]) one.on('error', () => one.destroy())
  })
  const proxy = await listen(tunnel)
  const args = ['conformance', '--url', 'http://approvals.example', '--rate-limit', '1000', '--settle', '0s']
  const { code } = await runHere(args, { ...env, HTTP_PROXY: `http://127.0.0.1:${proxy.port}` }, scratch())
  behind.close()
  proxy.close()
  expect(code).toBe(2)
  expect([...asked]).toEqual(['approvals.example:80'])
})
