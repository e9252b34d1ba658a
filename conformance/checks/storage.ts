/** Uploading to storage: interface.md section 4.5. */
import type { RequirementId } from '../catalogue.ts'
import { type Check, fail, inconclusive, pass } from '../check.ts'
import { label } from '../exchange.ts'
import { mustBeDone } from './shared.ts'

/** What is decided by the PUT's being accepted: it carries the declared type, the raw bytes, and no key. */
const accepted: readonly RequirementId[] = [
  'storage.put-to-upload-url',
  'storage.declared-content-type',
  'storage.raw-bytes',
  'storage.no-service-key',
]

export const storageChecks: readonly Check[] = [
  ...accepted.map((id): Check => ({ id, run: async (flow) => mustBeDone(await flow.putAnswer()) })),
  {
    id: 'storage.put-returns-200',
    async run(flow) {
      const answer = await flow.putAnswer()
      return answer.status === 200 ? pass(`${label(answer)}.`) : fail(`${label(answer)}, not 200.`)
    },
  },
  {
    id: 'storage.put-returns-empty-body',
    async run(flow) {
      const answer = await flow.putAnswer()
      if (answer.status < 200 || answer.status > 299) return inconclusive(`${label(answer)}.`)
      const size = answer.bytes.byteLength
      return size === 0 ? pass('The body is empty.') : fail(`The body has ${size} bytes.`)
    },
  },
]
