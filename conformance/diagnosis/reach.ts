/** When nothing can be done at all: whether the key, the address or the calls are to blame. */

import type { Flow } from '../flow/flow.ts'
import { Broken } from '../judging/check.ts'
import { type Exchange, label, succeeded } from '../wire/exchange.ts'
import { isUnauthorized } from './avoidances.ts'

/** Throws `Broken` where creating and asking for an upload, which need nothing from each other, are refused alike. */
export async function mustBeReached(flow: Flow): Promise<void> {
  const { exchange: created } = await flow.firstCreate()
  const { exchange: asked } = await flow.document(1).asked()
  if (succeeded(created) || succeeded(asked)) return
  const both = `${label(created)} and ${label(asked)}`
  if ([created, asked].every(isUnauthorized)) throw await keyBroken(flow, both)
  if ([created, asked].every((answer) => leadsElsewhere(answer, flow.target.url))) {
    throw new Broken('api.paths-relative-to-base', 'fail', `${both}, and lead to another host`)
  }
  if ([created, asked].every(isNowhere)) {
    throw new Broken('api.under-api-v1', 'fail', `${both}, so no service call is found below /api/v1`)
  }
}

/** Both calls want another key, or the key otherwise: tries the usual ways at the deployment's own address. */
async function keyBroken(flow: Flow, both: string): Promise<Broken> {
  const { Authorization: key } = flow.target.auth
  const ways: [string, Record<string, string>][] = [
    ['as a Bearer token', { Authorization: `Bearer ${key}` }],
    ['with the scheme word ApiKey', { Authorization: `ApiKey ${key}` }],
    ['with the scheme word Token', { Authorization: `Token ${key}` }],
    ['as the user of Basic authentication', { Authorization: `Basic ${btoa(`${key}:`)}` }],
    ['in X-API-Key', { 'X-API-Key': key }],
  ]
  for (const [way, headers] of ways) {
    if (succeeded(await flow.create(flow.samples.workflow(), headers)))
      return new Broken('auth.raw-key', 'fail', `${both}; the key is taken only ${way}`)
  }
  return new Broken('auth.raw-key', 'inconclusive', `${both}; perhaps this key is not valid here`)
}

function leadsElsewhere({ status, headers, request }: Exchange, base: string): boolean {
  const location = headers.get('Location')
  if (status < 300 || status > 399 || !location || !URL.canParse(location, request.url)) return false
  return new URL(location, request.url).origin !== new URL(base).origin
}

function isNowhere({ status }: Exchange): boolean {
  return status === 404 || status === 405 || status === 501 || (status >= 300 && status < 400)
}
