/** Uploading to storage: interface.md section 4.5. */
import type { RequirementId } from '../catalogue/catalogue.ts'
import type { Flow } from '../flow/flow.ts'
import { findNamed } from '../reading/locate.ts'
import { label } from '../wire/exchange.ts'
import { type Check, fail, pass } from './check.ts'
import { comesAbout, ofBoth, otherSizeIn, show } from './shared.ts'
import { storedUnusual } from './unusual-name.ts'

const stored = (flow: Flow) => flow.document(1).stored()

/** What is decided by the PUT's being accepted: it carries the declared type, and no key. */
const accepted: readonly RequirementId[] = ['storage.declared-content-type', 'storage.no-service-key']

export const storageChecks: readonly Check[] = [
  comesAbout('storage.put-to-upload-url', async (flow) => {
    const exchange = await stored(flow)
    await storedUnusual(flow)
    return exchange
  }),
  ...accepted.map((id) => comesAbout(id, stored)),
  {
    id: 'storage.put-returns-200',
    async run(flow) {
      const answers = await ofBoth(flow, (document) => document.stored())
      const other = answers.find(({ status }) => status !== 200)
      return other ? fail(`${label(other)}, not 200.`) : pass(`${answers.map(label).join(' and ')}.`)
    },
  },
  {
    id: 'storage.put-returns-empty-body',
    async run(flow) {
      const sizes = (await ofBoth(flow, (document) => document.stored())).map(({ bytes }) => bytes.byteLength)
      const most = Math.max(...sizes)
      return most === 0 ? pass('The body is empty.') : fail(`The body has ${most} bytes.`)
    },
  },
  {
    id: 'storage.not-a-service-path',
    async run(flow) {
      const { uploadUrl } = await flow.document(1).requested()
      const address = new URL(uploadUrl)
      const service = new URL(`${flow.target.url}/api/v1/`)
      return address.origin === service.origin && address.pathname.startsWith(service.pathname)
        ? fail(`upload_url is a path of the service: ${address.pathname}.`)
        : pass('upload_url is no path of the service.')
    },
  },
  {
    id: 'storage.raw-bytes',
    async run(flow) {
      // The second file is longer than a block of many a reader, and neither may take the place of the other.
      for (const number of [1, 2] as const) {
        const flaw = await otherBytes(flow, number)
        if (flaw) return fail(flaw)
      }
      return pass(`${label(await stored(flow))} to bytes of every value.`)
    },
  },
]

/** What the confirmation of a document shows of other bytes than were put, if it does. */
async function otherBytes(flow: Flow, number: 1 | 2): Promise<string | undefined> {
  const { bytes, sent, confirmed, requested, key, identifiers } = flow.document(number)
  const { json } = await confirmed()
  const [named] = await identifiers()
  const marks = [sent.file_name, await key(), (await requested()).sessionId, String(named?.value)]
  const size = otherSizeIn(json, ['filesize', 'size', 'sizebytes', 'bytes', 'contentlength'], bytes.byteLength, marks)
  if (size !== undefined) return `${bytes.byteLength} bytes were put, and the confirmation shows ${show(size)}.`
  const digest = findNamed(json, 'sha256', 'sha_256', 'checksum_sha256')?.value
  const isDigest = typeof digest === 'string' && /^[0-9a-f]{64}$/i.test(digest)
  return isDigest && digest.toLowerCase() !== (await sha256(bytes))
    ? `The confirmation of ${bytes.byteLength} bytes shows the SHA-256 of others.`
    : undefined
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
