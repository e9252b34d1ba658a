/** What proxies send, replayed; docs/deploying.md has their configurations, which were tried with the proxies themselves. */
import { expect, test } from 'vitest'
import type { StartOptions } from '../../src/node/start-mock.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { sendExact } from '../support/raw.ts'
import { freshKey, workflow } from '../support/service.ts'
import { started } from '../support/started.ts'

interface Proxy {
  /** The characters of a path that it decodes. */
  readonly decodes?: RegExp
  /** The path at which clients reach it, and how that begins at the mock. @default the root */
  readonly path?: readonly [atProxy: string, atMock: string]
  /** True if it passes on the address of the mock as Host, and not what the client sent. */
  readonly changesHost?: boolean
  readonly forwarded?: Readonly<Record<string, string>>
  readonly options?: StartOptions
}

const publicHost = 'localhost:8080'
const ofApache = { 'X-Forwarded-Host': publicHost, 'X-Forwarded-Server': 'localhost', 'X-Forwarded-For': '127.0.0.1' }
const ofCaddy = { 'X-Forwarded-Host': publicHost, 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '127.0.0.1' }
const [nginx, apache] = [/[!$&'()*+,:;=@[\]]/, /[!$&'()*+,:;=@]/]

const publicBaseUrl = `http://${publicHost}/team`

const proxies: Readonly<Record<string, Proxy>> = {
  'nginx without a path in proxy_pass, Vite and Angular': {},
  'nginx with a path in proxy_pass': { decodes: nginx },
  'nginx that keeps a path': { decodes: nginx, path: ['/team', '/team'], options: { basePath: '/team' } },
  'nginx that removes a path': {
    decodes: nginx,
    path: ['/team', ''],
    changesHost: true,
    options: { publicBaseUrl },
  },
  'ProxyPass of Apache': { decodes: apache, forwarded: ofApache },
  'ProxyPass of Apache below a path': {
    decodes: apache,
    path: ['/team', '/team'],
    changesHost: true,
    forwarded: ofApache,
    options: { basePath: '/team', publicBaseUrl },
  },
  'reverse_proxy of Caddy': { forwarded: ofCaddy },
  'handle_path of Caddy': { path: ['/team', ''], forwarded: ofCaddy, options: { publicBaseUrl } },
  'the proxy of Vite with changeOrigin': { changesHost: true, options: { publicBaseUrl: `http://${publicHost}` } },
}

test.each(nonEmpty(Object.entries(proxies)))('the flow passes behind %s', async (_, proxy) => {
  const { decodes, path: [atProxy, atMock] = ['', ''], changesHost = false, forwarded, options } = proxy
  const { mock } = await started(options)
  const send = (method: string, address: string, body: string, own: Record<string, string>) => {
    const { host, pathname, search } = new URL(address, `http://${publicHost}`)
    expect([host, pathname.startsWith(`${atProxy}/`)]).toEqual([publicHost, true])
    const spelled = pathname.replaceAll(/%[2-7][0-9A-F]/g, (code) => {
      const char = decodeURIComponent(code)
      return decodes?.test(char) ? char : code
    })
    const headers = { ...own, ...forwarded, ...(!changesHost && { Host: host }), 'Content-Length': body.length }
    const path = atMock + spelled.slice(atProxy.length) + search
    return sendExact(mock.url, { method, path, headers, body })
  }
  const headers = { Authorization: freshKey(), 'Content-Type': 'application/json' }
  const create = await send('POST', `${atProxy}/api/v1/workflows`, JSON.stringify(workflow()), headers)
  expect((await send('GET', create.headers.location ?? '', '', headers)).status).toBe(200)
  const file = { file_name: "a (1) b+c&d=e~100%_'!*,;:@$ [x].pdf", content_type: 'application/pdf', file_size: 3 }
  const { text } = await send('POST', `${atProxy}/api/v1/upload/`, JSON.stringify(file), headers)
  const stored = await send('PUT', JSON.parse(text).upload_url, 'abc', { 'Content-Type': 'application/pdf' })
  expect([stored.status, stored.text]).toEqual([200, ''])
  const reset = { Origin: `http://${publicHost}` }
  expect((await send('POST', `${atProxy}/__admin/reset`, '', reset)).status).toBe(204)
})
