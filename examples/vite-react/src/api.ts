import { createClient } from 'countersign/client'
import type { components } from 'countersign/types'

export type Schemas = components['schemas']

/** The same client whoever answers: a deployment, the mock server, or MSW in this page. */
export const client = createClient({
  baseUrl: import.meta.env.VITE_API_URL,
  apiKey: import.meta.env.VITE_API_KEY,
})
