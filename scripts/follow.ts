import { fileURLToPath } from 'node:url'
import { Redactor } from '../conformance/wire/redact.ts'
import { redocly } from './redocly.ts'

const flow = fileURLToPath(new URL('../flow.arazzo.yaml', import.meta.url))

/**
 * Follows flow.arazzo.yaml at an address, with Redocly Respect. The key goes by the environment, so it stands neither in
 * `ps` nor in what is printed.
 */
export async function follow(url: string, key: string): Promise<{ passed: boolean; printed: string }> {
  const { code, stdout, stderr } = await redocly(['respect', flow, '--server', `service=${url}`], {
    REDOCLY_CLI_RESPECT_INPUT: JSON.stringify({ api_key: key }),
  })
  return { passed: code === 0, printed: withoutSecrets(stdout + stderr, key) }
}

/** Whoever has a signed address may use it, so its query is a secret too. */
function withoutSecrets(text: string, key: string): string {
  return new Redactor([key]).text(text).replaceAll(/(https?:\/\/[^\s?]+)\?\S+/g, '$1?***')
}
