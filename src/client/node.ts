import { guardedFetch } from '../connect/guarded-fetch.ts'
import { type Client, type ClientOptions, createClient as createPlainClient } from './index.ts'

export * from './index.ts'

/** Creates a client in Node, which checks the address of each connection, except in environments that imitate a page. */
export function createClient(options: ClientOptions): Client {
  const isPage = typeof XMLHttpRequest !== 'undefined'
  if (options.fetch || isPage || !URL.canParse(options.baseUrl)) return createPlainClient(options)
  return createPlainClient({ ...options, fetch: guardedFetch(options.baseUrl) })
}
