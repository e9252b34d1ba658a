/** Uploading to storage: interface.md section 4.5. */
import {
  confirmed,
  documentIdentifiers,
  putOf,
  requested,
  storageKey,
  stored,
  uploadOf,
} from '../evidence/documents.ts'
import { type Evidence, resultIfSucceeded } from '../evidence/evidence.ts'
import { uploadFinding } from '../evidence/findings.ts'
import { show } from '../evidence/show.ts'
import { membersFor, repeatedFinding } from '../evidence/shown.ts'
import { digestsShown, type ShownDigests, wrongSizeShown } from '../evidence/stored-bytes.ts'
import type { Finding } from '../reading/finding.ts'
import { findNamed } from '../reading/locate.ts'
import { fileSizes } from '../reading/sizes.ts'
import { describeAnswer, type Exchange, succeeded } from '../wire/exchange.ts'
import type { Recorded } from '../wire/record.ts'
import { accepted, type Check, fail, type Observation, pass } from './check.ts'
import { ofBoth, otherSizeIn, requireConclusive, sizeFinding, stepSucceeds } from './shared.ts'

/** Returns the refusal of a file with another media type than all others, unless its upload request was refused. */
function refusedType(evidence: Evidence): Recorded | undefined {
  for (const kind of ['text', 'image'] as const) {
    const request = `request upload ${kind}` as const
    // Older reports have no image.
    if (!evidence.has(request) || !succeeded(evidence.last(request))) continue
    if (!resultIfSucceeded(() => uploadOf(evidence, request))) continue
    const answer = requireConclusive(evidence.last(`put object ${kind}`))
    if (answer.status >= 400) return answer
  }
  return undefined
}

/** Kinds of unusual file names: with letters beyond ASCII, and with a space and brackets. */
export const oddNames = ['accented', 'bracketed'] as const
export type OddName = (typeof oddNames)[number]

/**
 * Returns storage's answer to a file with an unusual name; undefined if its upload request was refused. Throws `Refused` if
 * storage refuses only this file, and `Undecided` for a 5xx.
 */
export function storedOdd(evidence: Evidence, kind: OddName): Recorded | undefined {
  const request = `request upload ${kind}` as const
  const upload = succeeded(evidence.last(request)) && resultIfSucceeded(() => uploadOf(evidence, request))
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
  stepSucceeds('storage.no-service-key', (evidence) => stored(evidence, 1)),
  {
    id: 'storage.declared-content-type',
    judge(evidence) {
      const exchange = stored(evidence, 1)
      const refused = refusedType(evidence)
      if (!refused) return pass(`${describeAnswer(exchange)}.`)
      const sent = refused.request.headers.get('content-type')
      const message = `${describeAnswer(refused)} to a file of the media type ${sent}, for which upload_url was requested, but stored files of another type.`
      return fail(message, 'outcome', { exchange: refused, sent, shown: refused.status })
    },
  },
  {
    id: 'storage.put-returns-200',
    judge(evidence) {
      const answers = ofBoth((which) => stored(evidence, which))
      const other = answers.find(({ status }) => status !== 200)
      return other
        ? fail(`${describeAnswer(other)} instead of 200.`, 'outcome', { exchange: other, shown: other.status })
        : pass(`${answers.map(describeAnswer).join(' and ')}.`)
    },
  },
  {
    id: 'storage.put-returns-empty-body',
    judge(evidence) {
      const exchange = ofBoth((which) => stored(evidence, which)).find(({ bytes }) => bytes.byteLength > 0)
      return exchange === undefined
        ? pass('The body is empty.')
        : fail(`The body has ${exchange.bytes.byteLength} bytes, but should be empty.`, 'outcome', {
            exchange,
            shown: new TextDecoder().decode(exchange.bytes.subarray(0, 1000)),
          })
    },
  },
  {
    id: 'storage.not-a-service-path',
    judge(evidence) {
      const { uploadUrl, exchange } = requested(evidence, 1)
      const address = new URL(uploadUrl)
      const service = new URL(`${evidence.settings.url}/api/v1/`)
      return address.origin === service.origin && address.pathname.startsWith(service.pathname)
        ? fail(
            `upload_url is a path of the service: ${address.pathname}.`,
            uploadFinding(evidence, 'upload_url', uploadUrl),
            { exchange, shown: address.origin + address.pathname },
          )
        : pass('upload_url is not a path of the service.')
    },
  },
  {
    id: 'storage.raw-bytes',
    judge(evidence) {
      // The second file is longer than typical buffers. Neither file may replace the other.
      const found = ([1, 2] as const).map((which) => bytesShown(evidence, which))
      const flaw = found.find((one) => typeof one === 'object')
      if (typeof flaw === 'object') return flaw
      const { wrong, isSeen } = digestsShown(evidence)
      if (wrong) {
        const message = `${wrong.sent.size} bytes were uploaded, but the ${wrong.form.name} at ${wrong.place} is that of other bytes.`
        const { exchange, pointer } = wrong
        return fail(message, digestFinding(wrong), {
          exchange,
          ...(pointer !== undefined && { pointer }),
          sent: wrong.right,
          shown: wrong.text,
        })
      }
      const said = `${describeAnswer(stored(evidence, 1))} to a file with all byte values`
      const other = wrongSizeShown(evidence)
      if (other) {
        const { of, shown } = other
        const message = `${of.size} bytes were uploaded, but the confirmation shows a size of ${show(shown.value)}.`
        return fail(message, sizeFinding('confirmation', shown, true), { exchange: of.exchange, sent: of.size })
      }
      return isSeen || found.includes(true)
        ? pass(`${said}, and its size or digest is shown.`)
        : accepted(`${said}, but neither its size nor its digest is shown.`)
    },
  },
]

/** Creates the finding of a place that shows a wrong digest. */
function digestFinding({ place, isNamed }: NonNullable<ShownDigests['wrong']>): Finding {
  const own = { what: 'digest', value: undefined, place, rejected: [] }
  return isNamed
    ? { ...own, rule: 'says which digest it is, and stands beside what names the file', strength: 'named' }
    : { ...own, rule: 'shows the digest of another file that was put', strength: 'proven' }
}

/** Describes a wrong size or digest in a document's confirmation; otherwise returns whether it shows a right one. */
function bytesShown(evidence: Evidence, which: 1 | 2): Observation | boolean {
  const exchange = confirmed(evidence, which)
  const { json } = exchange
  const request = requested(evidence, which)
  const sent = sentBytes(stored(evidence, which))
  const bytes = sent.size
  const [named] = documentIdentifiers(evidence, which)
  const marks = [request.sent.file_name, storageKey(evidence, which), request.sessionId, String(named?.value)]
  const size = otherSizeIn(json, bytes, marks)
  if (size !== undefined) {
    const message = `${bytes} bytes were uploaded, but the confirmation shows a size of ${show(size.value)}.`
    return fail(message, sizeFinding('confirmation', size), { exchange, sent: bytes })
  }
  let isSeen = fileSizes(json, marks).length > 0
  for (const { what, name, names, like } of checksums) {
    const right = sent[what]
    const [sum] = membersFor(evidence, `confirmation.${what}`, json, () => [findNamed(json, ...names) ?? []].flat())
    if (!sum || !right || typeof sum.value !== 'string' || !like.test(sum.value)) continue
    if (sum.value.toLowerCase() !== right) {
      const finding = repeatedFinding(evidence, `confirmation.${what}`, 'confirmation', sum, { json, known: marks })
      return fail(`${bytes} bytes were uploaded, but the confirmation shows the ${name} of other bytes.`, finding, {
        exchange,
        sent: right,
        shown: sum.value,
      })
    }
    isSeen = true
  }
  return isSeen
}

/** The checksums that a confirmation may show, by the contract's names and some others. */
const checksums = [
  {
    what: 'sha256',
    name: 'SHA-256',
    names: ['sha256', 'sha_256', 'checksum_sha256'],
    like: /^[0-9a-f]{64}$/i,
  },
  // Eight digits without a letter may be a decimal number.
  { what: 'crc32', name: 'CRC-32', names: ['crc32'], like: /^(?=\d*[a-f])[0-9a-f]{8}$/i },
] as const

function sentBytes({ sentBytes }: Exchange) {
  if (!sentBytes) throw new TypeError('The upload has no binary body. Send documents as bytes.')
  return sentBytes
}
