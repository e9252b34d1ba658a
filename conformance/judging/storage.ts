/** Uploading to storage: interface.md section 4.5. */
import { putOf, requested, stored, uploadOf } from '../evidence/documents.ts'
import { type Evidence, resultIfSucceeded } from '../evidence/evidence.ts'
import { uploadFinding } from '../model/findings.ts'
import { describeAnswer, succeeded } from '../wire/exchange.ts'
import type { Recorded } from '../wire/record.ts'
import { type Checks, fail, pass } from './check.ts'
import { ofBoth, requireConclusive, stepSucceeds } from './shared.ts'

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
type OddName = (typeof oddNames)[number]

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

export const storageChecks: Checks = {
  'storage.put-to-upload-url': stepSucceeds((evidence) => {
    const exchange = stored(evidence, 1)
    for (const kind of oddNames) storedOdd(evidence, kind)
    return exchange
  }),
  'storage.no-service-key': stepSucceeds((evidence) => stored(evidence, 1)),
  'storage.declared-content-type'(evidence) {
    const exchange = stored(evidence, 1)
    const refused = refusedType(evidence)
    if (!refused) return pass(`${describeAnswer(exchange)}.`)
    const sent = refused.request.headers.get('content-type')
    const message = `${describeAnswer(refused)} to a file of the media type ${sent}, for which upload_url was requested, but stored files of another type.`
    return fail(message, 'outcome', { exchange: refused, sent, shown: refused.status })
  },
  'storage.put-returns-200'(evidence) {
    const answers = ofBoth((which) => stored(evidence, which))
    const other = answers.find(({ status }) => status !== 200)
    return other
      ? fail(`${describeAnswer(other)} instead of 200.`, 'outcome', { exchange: other, shown: other.status })
      : pass(`${answers.map(describeAnswer).join(' and ')}.`)
  },
  'storage.put-returns-empty-body'(evidence) {
    const exchange = ofBoth((which) => stored(evidence, which)).find(({ bytes }) => bytes.byteLength > 0)
    return exchange === undefined
      ? pass('The body is empty.')
      : fail(`The body has ${exchange.bytes.byteLength} bytes, but should be empty.`, 'outcome', {
          exchange,
          shown: new TextDecoder().decode(exchange.bytes.subarray(0, 1000)),
        })
  },
  'storage.not-a-service-path'(evidence) {
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
}
