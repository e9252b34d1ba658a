import type { SentUpload } from '../evidence/documents.ts'
import { confirmed, fieldIn, keyOf, requested, storageKey, uploadOf } from '../evidence/documents.ts'
import { type Evidence, resultIfSucceeded, sentBody, wasCarriedOut } from '../evidence/evidence.ts'
import { Refused } from '../evidence/failures.ts'
import { repeatedIdentifier } from '../evidence/repeats.ts'
import { show } from '../evidence/show.ts'
import { shownToSecond } from '../evidence/workflows.ts'
import { uploadFinding } from '../model/findings.ts'
import { decodePercent, findNamed } from '../reading/locate.ts'
import { endsWithName, storageKeyIn } from '../reading/storage-key.ts'
import { describeAnswer, type Exchange, succeeded } from '../wire/exchange.ts'
import type { Recorded } from '../wire/record.ts'
import { redacted } from '../wire/redact.ts'
import { accepted, type Checks, fail, inconclusive, type Observation, pass } from './check.ts'
import { isUuid, ofBoth, requireConclusive, stepSucceeds } from './shared.ts'
import { oddNames, storedOdd } from './storage.ts'

function asked(evidence: Evidence): Recorded {
  requested(evidence, 2)
  return requested(evidence, 1).exchange
}

/** Returns the answer to the confirmation of a file with an unusual name; undefined if the name was refused before. */
function confirmedOdd(evidence: Evidence, kind: (typeof oddNames)[number]): Recorded | undefined {
  if (!storedOdd(evidence, kind)) return undefined
  const step = `confirm upload ${kind}` as const
  const exchange = requireConclusive(evidence.last(step))
  if (!succeeded(exchange)) throw new Refused(step, exchange)
  return exchange
}

/** Returns true for a text that a secret was taken out of, or a part of one. */
const isWithheld = (id: string) => /\*\*\*\d+\*\*\*/.test(id)

/** The requests for uploads after the first two. */
const laterRequests = [
  ...oddNames.map((kind) => `request upload ${kind}` as const),
  ...(['request upload text', 'request upload image', 'request upload 3'] as const),
]

/** Throws `Broken` if a later answer has only one of upload URL and session. A refusal has neither. */
function requireUrlAndSession(evidence: Evidence): void {
  for (const step of laterRequests.filter((one) => evidence.has(one))) {
    const answer = evidence.last(step)
    const hasEither = (['upload_url', 'session_id'] as const).some((name) => fieldIn(evidence, answer, name)?.value)
    if (succeeded(answer) && hasEither) uploadOf(evidence, step)
  }
}

export const uploadChecks: Checks = {
  'request-upload.method-and-path': stepSucceeds(asked),
  'confirm-upload.method-and-path': stepSucceeds((evidence) => {
    const exchange = confirmed(evidence, 1)
    confirmed(evidence, 2)
    for (const kind of oddNames) confirmedOdd(evidence, kind)
    return exchange
  }),
  'confirm.completed-files': stepSucceeds((evidence) => confirmed(evidence, 1)),
  'flow.request-put-confirm': stepSucceeds((evidence) => confirmed(evidence, 1)),
  'upload.answers-upload-url'(evidence) {
    const [first, second] = [requested(evidence, 1), requested(evidence, 2)]
    requireUrlAndSession(evidence)
    return new URL(first.uploadUrl).href === new URL(second.uploadUrl).href
      ? fail('Two uploads have the same upload_url.', uploadFinding(evidence, 'upload_url', first.uploadUrl), {
          exchange: second.exchange,
        })
      : pass('upload_url is an http or https URL.')
  },
  'upload.answers-session-id'(evidence) {
    const { sessionId } = requested(evidence, 1)
    requireUrlAndSession(evidence)
    return pass(`session_id is ${show(sessionId)}.`)
  },
  'upload.session-id-is-uuid'(evidence) {
    const both = ofBoth((which) => {
      const { sessionId: id, exchange } = requested(evidence, which)
      return { id, exchange }
    })
    const isOther = ({ id }: { readonly id: string }) => !isUuid(id) && !isWithheld(id)
    const later = sessionsSeen(evidence).find(isOther)
    const other = both.find(isOther) ?? (later && { id: later.id, exchange: evidence.recorded(later.exchange) })
    if (!other)
      return both.some(({ id }) => isWithheld(id))
        ? accepted('session_id is the signature of upload_url too, so it is withheld, and its form cannot be judged.')
        : pass('session_id is a UUID.')
    const { id, exchange } = other
    return fail(`session_id is ${show(id)}, not a UUID.`, uploadFinding(evidence, 'session_id', id), { exchange })
  },
  'upload.session-ids-differ'(evidence) {
    requested(evidence, 1)
    requested(evidence, 2)
    uploadOf(evidence, 'request upload 3')
    const repeated = repeatedIdentifier(
      evidence,
      'request upload',
      (exchange) => fieldIn(evidence, exchange, 'session_id')?.value,
    )
    if (!repeated) return pass('Each upload has its own session_id.')
    const { value, exchange } = repeated
    const finding = uploadFinding(evidence, 'session_id', value)
    return fail('Two uploads have the same session_id.', finding, { exchange })
  },
  'completed-file.key-begins-with-tenants'(evidence) {
    const both = ofBoth((which) => {
      return { key: storageKey(evidence, which), exchange: requested(evidence, which).exchange }
    })
    const keys = both.map(({ key }) => key)
    const other = both.find(({ key }) => !/^tenants\/[^/]/.test(key) || isUnfilled(key))
    if (other) {
      const { key, exchange } = other
      const message = `The key is ${show(key)}, which does not begin with tenants/ and a tenant.`
      return fail(message, uploadFinding(evidence, 'key', key), { exchange })
    }
    if (!haveOneTenant(evidence, keys)) {
      const message = `The keys of uploads with one API key have nothing in common after tenants/: ${keys.map(show).join(' and ')}. So the prefix is not scoped to a tenant.`
      return fail(message, uploadFinding(evidence, 'key', keys[0]), { exchange: requested(evidence, 2).exchange })
    }
    const shared = prefixOfTwoTenants(evidence, keys)
    if (shared === undefined) return pass('The key begins with tenants/.')
    // Both API keys have the same placeholder.
    if (shared.includes(redacted.key)) {
      return accepted(
        'The key begins with tenants/. The prefix contains a part of the API key, which is redacted, so the prefixes of two tenants cannot be compared.',
      )
    }
    const read = evidence.last('read as second tenant')
    if (shownToSecond(evidence) === 'of-another') {
      return inconclusive(
        `Storage keys of both API keys begin with ${show(shared)}, and ${describeAnswer(read)} to the second API key, so both may belong to one tenant. Set COUNTERSIGN_API_KEY_2 to a key of another tenant.`,
      )
    }
    return fail(
      `Keys of two tenants begin with ${show(shared)}, so the prefix is not scoped to a tenant.`,
      uploadFinding(evidence, 'key', keys[0]),
      { exchange: requested(evidence, 1).exchange },
    )
  },
  'completed-file.key-ends-with-file-name': keyEndsWithName,
}

const fileNameIn = (exchange: Exchange) => sentBody<SentUpload>(exchange).file_name

/**
 * Returns true if the storage keys of one API key may belong to one tenant: they have a segment in common, or begin alike after
 * `tenants/`. Also returns true for fewer than three uploads, whose keys may differ by chance.
 */
function haveOneTenant(evidence: Evidence, keys: readonly string[]): boolean {
  const third = resultIfSucceeded(() => keyOf(evidence, uploadOf(evidence, 'request upload 3')))
  if (!third) return true
  const [first = [], ...others] = [...keys, String(third.value)].map((key) => key.split('/').slice(1, -1))
  const [tenant = ''] = first
  return (
    first.some((segment) => others.every((other) => other.includes(segment))) ||
    others.every(([other = '']) => other.slice(0, likenessOfTenants) === tenant.slice(0, likenessOfTenants))
  )
}

/** The number of characters by which names of one tenant are taken for alike, such as in `acme-eu` and `acme-us`. */
const likenessOfTenants = 3

/** Returns the common prefix of one tenant's storage keys, if another tenant's key begins with it too. */
function prefixOfTwoTenants(evidence: Evidence, keys: readonly string[]): string | undefined {
  const [first, second] = keys
  if (!evidence.settings.hasSecondKey || first === undefined || second === undefined) return undefined
  const theirs = resultIfSucceeded(() => keyOf(evidence, uploadOf(evidence, 'request upload as second tenant')))
  if (!theirs) return undefined
  const others = second.split('/')
  const segments = first.split('/')
  const length = segments.findIndex((segment, index) => segment !== others[index])
  const prefix = `${segments.slice(0, length).join('/')}/`
  return prefix !== 'tenants/' && String(theirs.value).startsWith(prefix) ? prefix : undefined
}

/** Returns true if the tenant in a key is an unfilled template. */
function isUnfilled(key: string): boolean {
  const tenant = decodePercent(key.split('/')[1] ?? '')
  return ['undefined', 'null'].includes(tenant) || /^\$?[{<].*[}>]$/.test(tenant)
}

/** Returns the sessions in all upload answers of the run. */
function sessionsSeen(evidence: Evidence): { readonly id: string; readonly exchange: Exchange }[] {
  const uploads = evidence.answers.filter(
    (exchange) => exchange.request.method === 'POST' && /\/upload\/$/.test(exchange.request.url) && succeeded(exchange),
  )
  return uploads.flatMap((exchange) => {
    const id = resultIfSucceeded(() => fieldIn(evidence, exchange, 'session_id'))?.value
    return typeof id === 'string' && id !== '' ? [{ id, exchange }] : []
  })
}

/** Checks the key for ordinary names, and for names that a service may be tempted to normalize. */
function keyEndsWithName(evidence: Evidence): Observation {
  const first = ofBoth((which) => ({ ...requested(evidence, which), key: storageKey(evidence, which), earlier: '' }))
  const third = resultIfSucceeded(() => {
    const upload = uploadOf(evidence, 'request upload 3')
    const key = String(keyOf(evidence, upload).value)
    return { ...upload, key, earlier: ', although that of an earlier upload does' }
  })
  for (const { key, sent, exchange, earlier } of [...first, ...(third ? [third] : [])]) {
    const name = sent.file_name
    if (endsWithName(key, name)) continue
    const message = `The key is ${show(key)}, which does not end with the file name ${show(name)}${earlier}.`
    return fail(message, uploadFinding(evidence, 'key', key), { exchange, sent: name })
  }
  const refused: string[] = []
  for (const kind of oddNames) {
    const answer = requireConclusive(evidence.last(`request upload ${kind}`))
    if (!wasCarriedOut(evidence, answer)) {
      refused.push(describeAnswer(answer))
      continue
    }
    const name = fileNameIn(answer)
    const url = findNamed(answer.json, 'upload_url')?.value
    const other = storageKeyIn(answer.json, URL.canParse(String(url)) ? String(url) : evidence.settings.url, name)
    if (other && !endsWithName(String(other.value), name)) {
      const message = `The key is ${show(other.value)}, which does not end with the file name ${show(name)}.`
      return fail(message, uploadFinding(evidence, 'key', other.value), { exchange: answer, sent: name })
    }
  }
  return refused.length > 0
    ? pass(`The key ends with the file name. ${refused.join(' and ')} to an unusual file name.`)
    : pass('The key ends with the file name.')
}
