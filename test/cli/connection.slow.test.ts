import { createServer } from 'node:http'
import { createSecureServer } from 'node:http2'
import { createServer as createTlsServer } from 'node:https'
import type { Server } from 'node:net'
import { expect, test } from 'vitest'
import { serveOverHttp } from '../../conformance/selftest/over-http.ts'
import { reference } from '../../conformance/selftest/reference.ts'
import { certificate, key } from '../support/certificate.ts'
import { mustFail, runWith } from '../support/command.ts'
import { everythingIn } from '../support/leaks.ts'
import { listening } from '../support/listening.ts'
import { tunnelTo } from '../support/tunnel.ts'

const noProxies = { COUNTERSIGN_API_KEY: 'test_connection', HTTP_PROXY: '', HTTPS_PROXY: '', NO_PROXY: '' }
const ca = { 'authority.pem': certificate, 'empty.pem': '' }

/** Runs one check at an address, since a whole run connects in no other way. */
const conformance = (url: string, more: readonly string[] = [], proxies: Record<string, string> = {}) =>
  runWith(ca, ['conformance', '--url', url, '--only', 'storage.put-to-upload-url', '--settle', '0s', ...more], {
    ...{ ...noProxies, ...proxies },
  })

/** Creates the reference with a self-signed certificate. Its upload URLs lead to itself. */
function createSecure() {
  const fetch = reference()
  return createTlsServer({ key, cert: certificate }, (incoming, outgoing) =>
    serveOverHttp((request) => fetch(new Request(request.url.replace('http:', 'https:'), request)), incoming, outgoing),
  )
}

test('a self-signed certificate is refused with both cures, and --insecure works', async () => {
  const url = `https://localhost:${await listening(createSecure())}`
  await mustFail(conformance(url), 4, /\(DEPTH_ZERO_SELF_SIGNED_CERT\)\. .* --cacert FILE, or add --insecure/)
  const unchecked = await conformance(url, ['--insecure', '--report', 'json,junit,html'])
  expect(unchecked.stdout).toMatch(/^pass +storage\.put-to-upload-url/m)
  expect(unchecked.stdout).toContain('Warning: certificates were not checked (--insecure)')
  const reports = everythingIn(unchecked.folder)
  expect(reports.match(/Warning: certificates were not checked/g)?.length).toBeGreaterThanOrEqual(3)
})

const onlyHttp2 = () => createSecureServer({ key, cert: certificate }) as unknown as Server

test.each([
  ['only HTTP/2', 'https', onlyHttp2, 'It does not offer HTTP/1.1, perhaps only HTTP/2.', ['--insecure']],
  ['TLS at an address without', 'http', createSecure, 'If it uses TLS, start the URL with https://.', []],
  ['no TLS', 'https', createServer, 'It does not use TLS. Start the URL with http://', []],
] as const)('a server with %s is reported as one', async (_, scheme, create, advice, more) => {
  await mustFail(conformance(`${scheme}://localhost:${await listening(create())}`, more), 4, advice)
})

test.each([
  ['407 Proxy Authentication Required', 'Put them into its URL, in front of the host.'],
  ['403 Forbidden', 'Allow the address in the proxy, or list the host in NO_PROXY.'],
])('a proxy that answers %s is named, with a cure', async (status, cure) => {
  const refusing = createServer().on('connect', (_, socket) => socket.end(`HTTP/1.1 ${status}\r\n\r\n`))
  const port = await listening(refusing)
  const proxies = { HTTPS_PROXY: `http://me:canary-word@127.0.0.1:${port}` }
  const { stderr } = await mustFail(conformance('https://approvals.example', [], proxies), 4, cure)
  expect(stderr).toContain(`through the proxy 127.0.0.1:${port} (Proxy response (${status.slice(0, 3)})`)
  expect(stderr).not.toContain('canary-word')
})

test.each([
  ['named', '', /through the proxy 127\.0\.0\.1:9 \(ECONNREFUSED\)\. Check HTTPS_PROXY/],
  ['not asked if NO_PROXY has the host', '.invalid', /^https:\/\/a\.invalid cannot be reached \(\w+\)\. Check the add/],
])('a proxy that is down is %s', async (_, excluded, message) => {
  const proxies = { HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: excluded }
  expect((await conformance('https://a.invalid', [], proxies)).stderr).toMatch(message)
})

test.each(['missing.pem', 'empty.pem'])('--cacert %s is bad configuration, in one line', async (name) => {
  await mustFail(conformance('https://a.test', ['--cacert', name]), 3, /^[^\n]*Name a PEM file[^\n]*\n$/)
})

const plain = (fetch = reference()) => createServer((incoming, outgoing) => serveOverHttp(fetch, incoming, outgoing))

test.each([
  ['http', 'HTTP_PROXY', plain, [], 80],
  ['https', 'HTTPS_PROXY', createSecure, ['--cacert', 'authority.pem'], 443],
] as const)('a deployment with %s is reached through %s, and --cacert works', async (...row) => {
  const [scheme, name, create, cacert, port] = row
  const proxy = await tunnelTo(await listening(create()))
  const proxies = { [name]: `127.0.0.1:${proxy.port}` }
  const { stdout, stderr, folder } = await conformance(`${scheme}://approvals.example`, cacert, proxies)
  expect([stdout, stderr]).toEqual([expect.stringMatching(/^pass +storage\.put-to-upload-url/m), ''])
  expect(stdout + everythingIn(folder)).not.toContain('certificates were not checked')
  expect([...proxy.asked]).toEqual([`approvals.example:${port}`])
})

test('a proxy is not asked for an address that is more private than the service', async () => {
  const fetch = reference()
  const inward = plain(async (request) => {
    const response = await fetch(request)
    const text = await response.text()
    const changed = text.replace(/"upload_url":"https?:\/\/[^/]*/, '"upload_url":"http://10.0.0.7')
    return new Response(changed || null, response)
  })
  const proxy = await tunnelTo(await listening(inward))
  const proxies = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` }
  expect((await conformance('http://approvals.example', [], proxies)).code).toBe(2)
  expect([...proxy.asked]).toEqual(['approvals.example:80'])
})
