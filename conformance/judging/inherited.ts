/** What is not in interface.md and to be expected all the same; a failure is a warning. */

import { label, succeeded } from '../wire/exchange.ts'
import { type Check, fail, notShown, pass } from './check.ts'
import { show } from './shared.ts'

export const inheritedChecks: readonly Check[] = [
  {
    id: 'http.unauthorized-has-challenge',
    async run(flow) {
      const { id } = await flow.workflow(1)
      const answer = await flow.target.getWorkflow(String(id.value), { headers: {} })
      if (answer.status !== 401) return notShown(`${label(answer)}.`)
      const challenge = answer.headers.get('WWW-Authenticate')
      return challenge ? pass(`It is ${show(challenge)}.`) : fail(`${label(answer)} without WWW-Authenticate.`)
    },
  },
  {
    id: 'http.method-not-allowed-has-allow',
    async run({ target }) {
      const request = new Request(`${target.url}/api/v1/workflows`, { method: 'DELETE', headers: target.auth })
      const answer = await target.send(request)
      if (answer.status !== 405) return notShown(`${label(answer)}.`)
      return answer.headers.has('Allow')
        ? pass(`${label(answer)} with Allow.`)
        : fail(`${label(answer)} without Allow.`)
    },
  },
  {
    id: 'http.json-is-declared',
    async run(flow) {
      const { created, details } = await flow.workflow(1)
      const wrong = [created, details].find(
        ({ json, headers }) => json !== undefined && !/[/+]json/i.test(headers.get('Content-Type') ?? ''),
      )
      return wrong
        ? fail(`${label(wrong)} with JSON as ${show(wrong.headers.get('Content-Type'))}.`)
        : pass('JSON is declared as what it is.')
    },
  },
  {
    id: 'secrets.key-is-not-repeated',
    async run({ target }) {
      const { Authorization: key } = target.auth
      const repeating = target.transport.exchanges.find(
        ({ bytes, headers }) =>
          new TextDecoder().decode(bytes).includes(key) || [...headers].some(([, value]) => value.includes(key)),
      )
      return repeating ? fail(`${label(repeating)} with the key in it.`) : pass('No answer repeats the key.')
    },
  },
  {
    id: 'tenants.are-isolated',
    async run(flow) {
      const { id } = await flow.workflow(1)
      if (!flow.target.secondKey) return notShown('There is no second key; set COUNTERSIGN_API_KEY_2.')
      const headers = { Authorization: flow.target.secondKey }
      const own = await flow.create(flow.samples.workflow(), headers)
      if (!succeeded(own)) return notShown(`${label(own)} to the second key, so it cannot be compared with.`)
      const answer = await flow.target.getWorkflow(String(id.value), { headers })
      return succeeded(answer)
        ? fail(`${label(answer)} to the key of another tenant.`)
        : pass(`${label(answer)} to the key of another tenant.`)
    },
  },
  {
    id: 'storage.signature-is-verified',
    async run(flow) {
      const spare = flow.spareDocument()
      const { uploadUrl } = await spare.requested()
      const url = new URL(uploadUrl)
      const [longest] = [...url.searchParams].sort(([, a], [, b]) => b.length - a.length)
      if (!longest || longest[1].length < 16) return notShown('upload_url has no signature in its query.')
      const [name, value] = longest
      url.searchParams.set(name, `${value.startsWith('a') ? 'b' : 'a'}${value.slice(1)}`)
      const answer = await flow.target.putObject(url.href, spare.sent.content_type, spare.bytes)
      return succeeded(answer)
        ? fail(`${label(answer)} to a changed ${name}.`)
        : pass(`${label(answer)} to a changed ${name}.`)
    },
  },
]
