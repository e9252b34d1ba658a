import { createRequire } from 'node:module'
import { startNode } from './command.ts'

const bin = createRequire(import.meta.url).resolve('@stoplight/prism-cli/dist/index.js')

/** Starts Prism on a free port: `mock openapi.yaml`, or `proxy openapi.yaml URL` with its flags. */
export async function startPrism(...args: string[]) {
  const { child, ended, printed } = startNode([bin, ...args, '--port', '0'])
  const [, url = ''] = (await printed('Prism is listening on ')).match(/listening on (http:\S+)/) ?? []
  return {
    url,
    async close(): Promise<void> {
      child.kill()
      await ended
    },
  }
}

/** Where Prism disagrees with the contract about an exchange. */
export interface Disagreement {
  /** Begins with `request` or `response`. */
  readonly location: readonly string[]
  readonly severity: string
  readonly message: string
}

/** What Prism, without `--errors`, says about the exchange that ended with an answer. */
export function disagreements(response: Response): Disagreement[] {
  return JSON.parse(response.headers.get('sl-violations') ?? '[]')
}
