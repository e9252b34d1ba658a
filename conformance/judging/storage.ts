/** Uploading to storage: interface.md section 4.5. */
import type { RequirementId } from '../catalogue/catalogue.ts'
import {
  confirmed,
  documentIdentifiers,
  putOf,
  requested,
  storageKey,
  stored,
  uploadOf,
} from '../evidence/documents.ts'
import { type Evidence, ifCameAbout } from '../evidence/evidence.ts'
import { uploadFinding } from '../evidence/findings.ts'
import { show } from '../evidence/show.ts'
import { membersFor, repeatedFinding } from '../evidence/shown.ts'
import { digestsShown } from '../evidence/stored-bytes.ts'
import type { Finding } from '../reading/finding.ts'
import { findNamed } from '../reading/locate.ts'
import { fileSizes } from '../reading/sizes.ts'
import { type Exchange, label, succeeded } from '../wire/exchange.ts'
import type { Recorded } from '../wire/record.ts'
import { accepted, type Check, fail, type Observation, pass } from './check.ts'
import { ofBoth, otherSizeIn, requireConclusive, sizeFinding, stepSucceeds } from './shared.ts'

/** What is decided by the PUT's being accepted: it carries the declared type, and no key. */
const whenPut: readonly RequirementId[] = ['storage.declared-content-type', 'storage.no-service-key']

/** Kinds of odd file names: with letters beyond ASCII, and with a space and brackets. */
export const oddNames = ['accented', 'bracketed'] as const
export type OddName = (typeof oddNames)[number]

/**
 * Returns the answer of storage to a file with an odd name; undefined if the name was refused before. Throws `Refused` if
 * storage refuses it and a plain name is not, and `Undecided` if storage fails.
 */
export function storedOdd(evidence: Evidence, kind: OddName): Recorded | undefined {
  const request = `request upload ${kind}` as const
  const upload = succeeded(evidence.last(request)) && ifCameAbout(() => uploadOf(evidence, request))
  if (!upload) return undefined
  requireConclusive(evidence.last(`put object ${kind}`))
  return putOf(evidence, `put object ${kind}`)
}

export const storageChecks: readonly Check[] = [
  stepSucceeds('storage.put-to-upload-url', (evidence) => {
    const exchange = stored(evidence, 1)
    for (const kind of oddNames) storedOdd(evidence, kind)
    return exchange
  }),
  ...whenPut.map((id) => stepSucceeds(id, (evidence) => stored(evidence, 1))),
  {
    id: 'storage.put-returns-200',
    judge(evidence) {
      const answers = ofBoth((which) => stored(evidence, which))
      const other = answers.find(({ status }) => status !== 200)
      return other ? fail(`${label(other)}, not 200.`, 'outcome') : pass(`${answers.map(label).join(' and ')}.`)
    },
  },
  {
    id: 'storage.put-returns-empty-body',
    judge(evidence) {
      const sizes = ofBoth((which) => stored(evidence, which).bytes.byteLength)
      const most = Math.max(...sizes)
      return most === 0 ? pass('The body is empty.') : fail(`The body has ${most} bytes.`, 'outcome')
    },
  },
  {
    id: 'storage.not-a-service-path',
    judge(evidence) {
      const { uploadUrl } = requested(evidence, 1)
      const address = new URL(uploadUrl)
      const service = new URL(`${evidence.settings.url}/api/v1/`)
      return address.origin === service.origin && address.pathname.startsWith(service.pathname)
        ? fail(
            `upload_url is a path of the service: ${address.pathname}.`,
            uploadFinding(evidence, 'upload_url', uploadUrl),
          )
        : pass('upload_url is no path of the service.')
    },
  },
  {
    id: 'storage.raw-bytes',
    judge(evidence) {
      // The second file is longer than a block of many a reader, and neither may take the place of the other.
      const found = ([1, 2] as const).map((which) => bytesShown(evidence, which))
      const flaw = found.find((one) => typeof one === 'object')
      if (typeof flaw === 'object') return flaw
      const { wrong, isSeen } = digestsShown(evidence)
      if (wrong) {
        const message = `${wrong.sent.size} bytes were put, and the ${wrong.name} at ${wrong.place} is of others.`
        return fail(message, digestFinding(wrong.place))
      }
      const said = `${label(stored(evidence, 1))} to bytes of every value`
      return isSeen || found.includes(true)
        ? pass(`${said}, and their size or digest is shown.`)
        : accepted(`${said}; neither size nor digest is shown.`)
    },
  },
]

/** A place that shows the digest of another file as it is. */
function digestFinding(place: string): Finding {
  const rule = 'shows the digest of another file that was put'
  return { what: 'digest', value: undefined, place, rule, strength: 'proven', rejected: [] }
}

/** Says what the confirmation of a document shows of other bytes than were put; or else whether it shows anything of them. */
function bytesShown(evidence: Evidence, which: 1 | 2): Observation | boolean {
  const { json } = confirmed(evidence, which)
  const { sent, sessionId } = requested(evidence, which)
  const { size: bytes, sha256 } = sentBytes(stored(evidence, which))
  const [named] = documentIdentifiers(evidence, which)
  const marks = [sent.file_name, storageKey(evidence, which), sessionId, String(named?.value)]
  const size = otherSizeIn(json, bytes, marks)
  if (size !== undefined) {
    const message = `${bytes} bytes were put, and the confirmation shows ${show(size.value)}.`
    return fail(message, sizeFinding('confirmation', size))
  }
  const what = 'confirmation.sha256'
  const [digest] = membersFor(evidence, what, json, () =>
    [findNamed(json, 'sha256', 'sha_256', 'checksum_sha256') ?? []].flat(),
  )
  const isDigest = digest && typeof digest.value === 'string' && /^[0-9a-f]{64}$/i.test(digest.value)
  if (isDigest && String(digest.value).toLowerCase() !== sha256) {
    const finding = repeatedFinding(evidence, what, 'confirmation', digest, { json, known: marks })
    return fail(`The confirmation of ${bytes} bytes shows the SHA-256 of others.`, finding)
  }
  return isDigest === true || fileSizes(json, marks).length > 0
}

function sentBytes({ sentBytes }: Exchange) {
  if (!sentBytes) throw new TypeError('A document is sent as bytes that are no text')
  return sentBytes
}
