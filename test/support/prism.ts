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

/** A violation of the contract that Prism reports. */
export interface Disagreement {
  /** The path to it; the first item is `request` or `response`. */
  readonly location: readonly string[]
  readonly severity: string
  readonly message: string
}

/** Returns the violations that Prism, without `--errors`, reports in the headers of an answer. */
export function disagreements(response: Pick<Response, 'headers'>): Disagreement[] {
  return JSON.parse(response.headers.get('sl-violations') ?? '[]')
}
