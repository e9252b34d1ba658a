import { fileURLToPath } from 'node:url'
import { Redactor } from '../conformance/wire/redact.ts'
import { redocly } from './redocly.ts'

const flow = fileURLToPath(new URL('../src/contract/flow.arazzo.yaml', import.meta.url))

/**
 * Runs flow.arazzo.yaml against a server, with Redocly Respect. Passes the key in the environment, so that it appears
 * neither in `ps` nor in the output.
 */
export async function runFlow(url: string, key: string): Promise<{ passed: boolean; printed: string }> {
  const { code, stdout, stderr } = await redocly(['respect', flow, '--server', `service=${url}`], {
    REDOCLY_CLI_RESPECT_INPUT: JSON.stringify({ api_key: key }),
  })
  return { passed: code === 0, printed: withoutSecrets(stdout + stderr, key) }
}

/** Redacts the key, and the queries of URLs: a signed query is a credential too. */
function withoutSecrets(text: string, key: string): string {
  return new Redactor([key]).text(text).replaceAll(/(https?:\/\/[^\s?]+)\?\S+/g, '$1?***')
}
