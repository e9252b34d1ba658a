import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { createServer, type ServerOptions } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { expect, test } from 'vitest'
import { connect } from '../../cli/connection.ts'
import type { Connection } from '../../src/connect/connection.ts'
import { certificate, expired, key } from '../support/certificate.ts'
import { mustFail, runWith } from '../support/command.ts'
import { listening } from '../support/listening.ts'
import { tunnelTo } from '../support/tunnel.ts'

const env = { COUNTERSIGN_API_KEY: 'test_k8w2vq61zn', HTTP_PROXY: '', HTTPS_PROXY: '', NO_PROXY: '' }
const passphrase = 'canary-passphrase'
const pkcs8 = { type: 'pkcs8', format: 'pem' } as const
const files = {
  'cert.pem': certificate,
  'key.pem': key,
  'both.pem': certificate + key,
  'expired.pem': expired,
  'locked.pem': createPrivateKey(key).export({ ...pkcs8, cipher: 'aes-256-cbc', passphrase }),
  'other.pem': generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(pkcs8),
  'broken.pem': certificate.replaceAll('M', 'N'),
}

/** Starts a server that asks for a client certificate, and answers with its subject. Returns its port. */
function serverThatAsks(options: ServerOptions = {}): Promise<number> {
  const asking = { key, cert: certificate, ca: certificate, requestCert: true, ...options }
  const server = createServer(asking, ({ socket }, response) => {
    const { subject } = (socket as TLSSocket).getPeerCertificate()
    response.end(subject?.CN ?? 'no certificate')
  })
  return listening(server)
}

test.each([
  ['a missing file', 'none.pem', 'key.pem', '', 'The file of certificates none.pem does not exist. Name a PEM'],
  ['no certificate', 'key.pem', 'key.pem', '', 'key.pem holds no certificate.'],
  ['a broken certificate', 'broken.pem', 'key.pem', '', 'broken.pem holds no valid certificate.'],
  ['an expired certificate', 'expired.pem', 'key.pem', '', 'expired on Jan  2 00:00:00 2020 GMT. Renew it.'],
  ['no key', 'cert.pem', 'cert.pem', '', 'cert.pem holds no private key. Name a PEM file with --key.'],
  ['the key of another', 'cert.pem', 'other.pem', '', 'does not belong to the certificate in cert.pem.'],
  ['no passphrase', 'cert.pem', 'locked.pem', '', 'has a passphrase. Set it in COUNTERSIGN_KEY_PASSPHRASE.'],
  ['a wrong passphrase', 'cert.pem', 'locked.pem', 'wrong-canary', 'is wrong. Correct COUNTERSIGN_KEY_PASSPHRASE.'],
])('%s is bad configuration of a client certificate', async (_, cert, own, secret, message) => {
  const args = ['conformance', '--url', 'https://a.invalid', '--cert', cert, '--key', own]
  const running = runWith(files, args, { ...env, COUNTERSIGN_KEY_PASSPHRASE: secret })
  const { stderr } = await mustFail(running, 3, message)
  expect(stderr).not.toContain('canary')
})

test.each([
  ['mock', '--port', '0', '--upstream', 'https://a.invalid'],
  ['learn', '--url', 'https://a.invalid'],
  ['compare', 'https://a.invalid', 'reference'],
  ['tenant', 'export', '--url', 'https://a.invalid'],
])('%s takes a client certificate, too', async (...args) => {
  const running = runWith(files, [...args, '--cert', 'expired.pem', '--key', 'key.pem'], env)
  await mustFail(running, 3, 'expired.pem expired on')
})

const wanted = 'The server wants a client certificate. Pass --cert and --key.'
const refused =
  'The server does not accept the client certificate. Pass a certificate that it trusts with --cert and --key.'
const page = '<html><center>No required SSL certificate was sent</center></html>'

test.each([
  ['in TLS 1.3', { minVersion: 'TLSv1.3' }, [], wanted],
  ['in TLS 1.2', { maxVersion: 'TLSv1.2' }, [], 'If it wants a client certificate, pass --cert and --key.'],
  ['on a page', undefined, [], wanted],
  ['on a page, of another one', undefined, ['--cert', 'both.pem'], refused],
  ['without a word', { minVersion: 'TLSv1.3', ca: expired }, ['--cert', 'both.pem'], 'Perhaps it does not trust'],
] as const)('a server that wants a client certificate %s is named', async (_, options, more, message) => {
  const nginx = createServer({ key, cert: certificate }, (_, response) =>
    response.writeHead(400, { 'Content-Type': 'text/html', 'Content-Length': page.length }).end(page),
  )
  const port = await (options ? serverThatAsks({ rejectUnauthorized: true, ...options }) : listening(nginx))
  const args = ['conformance', '--url', `https://localhost:${port}`, '--cacert', 'cert.pem', ...more]
  await mustFail(runWith(files, args, env), 4, message)
})

const trusted: Connection = { authorities: certificate, client: { certificate, key } }

test('a client certificate reaches the service, but no other host', async () => {
  const port = await serverThatAsks({ rejectUnauthorized: false })
  const send = await connect(`https://localhost:${port}`, trusted)
  const peerAt = async (host: string) => (await send(new Request(`https://${host}:${port}`))).text()
  expect([await peerAt('localhost'), await peerAt('127.0.0.1')]).toEqual(['localhost', 'no certificate'])
})

test('a client certificate works through a proxy, whose absence is named there too', async () => {
  const port = await serverThatAsks({ rejectUnauthorized: true })
  const proxies = { https: `http://127.0.0.1:${(await tunnelTo(port)).port}` }
  const url = 'https://approvals.example'
  const send = await connect(url, { ...trusted, proxies })
  expect(await (await send(new Request(url))).text()).toBe('localhost')
  const without = await connect(url, { authorities: certificate, proxies })
  await expect(without(new Request(url))).rejects.toMatchObject({ cause: { message: wanted } })
})
