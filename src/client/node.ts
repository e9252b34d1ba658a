import { guardedFetch } from '../connect/guarded-fetch.ts'
import { type Client, type ClientOptions, createClient as createPlainClient } from './index.ts'

export * from './index.ts'

/**
 * Makes a client in Node. Nothing is sent before its first call.
 *
 * The service chooses where a file is uploaded to, so each connection is checked by the address that it goes to: a service at a
 * public address cannot lead `uploadDocument` to a private network, this machine or a cloud's metadata. In browsers, and in
 * environments that imitate a page, their own rules hold instead. A `fetch` of your own is used as it is, unchecked.
 */
export function createClient(options: ClientOptions): Client {
  const isPage = typeof XMLHttpRequest !== 'undefined'
  if (options.fetch || isPage || !URL.canParse(options.baseUrl)) return createPlainClient(options)
  return createPlainClient({ ...options, fetch: guardedFetch(options.baseUrl) })
}
