import createOpenApiClient, { type Client } from 'openapi-fetch'
import type { paths } from '../../src/contract/types.gen.ts'

/** A client of the shape that the samples use. */
export function createClient({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): Client<paths> {
  return createOpenApiClient<paths>({ baseUrl, headers: { Authorization: apiKey } })
}
