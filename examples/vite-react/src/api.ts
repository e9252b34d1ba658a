import { createClient } from 'countersign/client'
import type { components } from 'countersign/types'

export type Schemas = components['schemas']

/** The client. It is the same for a deployment, the mock server and MSW in this page. */
export const client = createClient({
  baseUrl: import.meta.env.VITE_API_URL,
  apiKey: import.meta.env.VITE_API_KEY,
})
