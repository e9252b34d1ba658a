/** The digests of uploaded files in the answers. A place counts only if it has shown a right digest before. */

import { digestsOf, type SentBytes } from '../../src/session/digests.ts'
import { leavesOf } from '../reading/places.ts'
import { type Exchange, succeeded } from '../wire/exchange.ts'
import { confirmed, putOf, stored } from './documents.ts'
import { type Evidence, resultIfSucceeded } from './evidence.ts'

/** An uploaded file, with the answers to its PUT and to its confirmation. */
interface Put {
  readonly sent: SentBytes
  readonly answers: readonly (readonly [name: string, answer: Exchange])[]
}

/** The formats of digests: a pattern, and the digest of given bytes in this format. */
const forms = [
  { name: 'MD5', like: /(?<![\w-])[0-9a-f]{32}(?![\w-])/gi, of: ({ md5 }: SentBytes) => md5 },
  { name: 'SHA-256', like: /(?<![\w-])[0-9a-f]{64}(?![\w-])/gi, of: ({ sha256 }: SentBytes) => sha256 },
  { name: 'MD5', like: /(?<![\w+/])[\w+/]{22}==/g, of: ({ md5 }: SentBytes) => md5 && base64(md5) },
  { name: 'SHA-256', like: /(?<![\w+/])[\w+/]{43}=(?!=)/g, of: ({ sha256 }: SentBytes) => base64(sha256) },
  { name: 'CRC-32', like: /(?<![\w-])[0-9a-f]{8}(?![\w-])/gi, of: ({ crc32 }: SentBytes) => crc32 },
] as const

type Form = (typeof forms)[number]

/** A text that looks like a digest, with the file that it may belong to. */
interface Shown {
  readonly place: string
  readonly exchange: Exchange
  /** JSON Pointer to the text. Absent if it is in a header. */
  readonly pointer?: string
  readonly text: string
  readonly form: Form
  readonly sent: SentBytes
  readonly right: string
  readonly isRight: boolean
}

/** The digests in the answers about stored files. */
export interface ShownDigests {
  /** True if any place shows the right digest of an uploaded file. */
  readonly isSeen: boolean
  /** A place that shows a right digest for one file, and a wrong one for another. */
  readonly wrong?: Shown
  /** True if a text looks like a digest, but was never right. Uploading an empty file may then identify its algorithm. */
  readonly isOpen: boolean
}

/** The digests of no bytes. A header may contain the digest of the empty answer. */
const empty = digestsOf(new Uint8Array())

/** A format, and the digests of a file and of no bytes in it. */
interface Expected {
  readonly form: Form
  readonly right: string
  readonly ofEmpty: string | undefined
}

function expectedOf(sent: SentBytes): Expected[] {
  return forms.flatMap((form) => {
    const right = form.of(sent)
    return right === undefined ? [] : [{ form, right, ofEmpty: sent.size > 0 ? form.of(empty) : undefined }]
  })
}

/** Returns the digests of both documents. */
export function digestsOfDocuments(evidence: Evidence): ShownDigests {
  return evidence.once('digests of documents', () => compared(putsOf(evidence)))
}

/** Returns the digests of all stored files. The empty file, which is hardly ever damaged, proves a place. */
export function digestsShown(evidence: Evidence): ShownDigests {
  return evidence.once('digests of files', () => digestsOfFiles(evidence))
}

function digestsOfFiles(evidence: Evidence): ShownDigests {
  const named = digestsOfDocuments(evidence)
  const others = (['accented', 'bracketed', ...(named.isOpen ? (['empty'] as const) : [])] as const).flatMap((kind) => {
    const put = evidence.has(`put object ${kind}`)
      ? resultIfSucceeded(() => putOf(evidence, `put object ${kind}`))
      : undefined
    if (!put) return []
    const confirmation = evidence.has(`confirm upload ${kind}`)
      ? resultIfSucceeded(() => evidence.last(`confirm upload ${kind}`))
      : undefined
    return [putFrom(put, confirmation && succeeded(confirmation) ? confirmation : undefined)]
  })
  return compared([...putsOf(evidence), ...others])
}

function putsOf(evidence: Evidence): Put[] {
  return ([1, 2] as const).flatMap((which) => {
    const put = resultIfSucceeded(() => stored(evidence, which))
    return put
      ? [
          putFrom(
            put,
            resultIfSucceeded(() => confirmed(evidence, which)),
          ),
        ]
      : []
  })
}

function putFrom(put: Exchange, confirmation: Exchange | undefined): Put {
  const sent = put.sentBytes ?? digestsOf(new TextEncoder().encode(put.sent))
  return { sent, answers: [['storage', put], ...(confirmation ? [['confirmation', confirmation] as const] : [])] }
}

function compared(puts: readonly Put[]): ShownDigests {
  const shown = puts.flatMap(shownFor)
  const isSame = (one: Shown) => (other: Shown) => other.place === one.place && other.form === one.form
  const wrong = shown.find((one) => !one.isRight && shown.some((other) => other.isRight && isSame(one)(other)))
  return {
    isSeen: shown.some(({ isRight }) => isRight),
    ...(wrong && { wrong }),
    isOpen: shown.some(
      (one) => mayBeDigest(one) && !one.isRight && !shown.some((other) => other.isRight && isSame(one)(other)),
    ),
  }
}

/** Returns true if a text is worth an upload of no bytes. Many texts are as long as a CRC-32, such as dates, but few headers are. */
const mayBeDigest = ({ form, pointer, text }: Shown) =>
  form.name !== 'CRC-32' || (pointer === undefined && /^(W\/)?"?[0-9a-f]{8}"?$/i.test(text))

/** Returns the places of an upload's answers that look like digests, and whether one of the texts there is right. */
function shownFor({ sent, answers }: Put): Shown[] {
  const expected = expectedOf(sent)
  return answers.flatMap(([answer, exchange]) => {
    const texts = [
      ...[...exchange.headers].map(([name, value]) => ({ place: `${answer} ${name}`, value })),
      ...leavesOf(exchange.json).map(({ pointer, value }) => ({ place: `${answer} ${pointer}`, pointer, value })),
    ]
    return texts.flatMap(({ value: text, ...at }) =>
      typeof text === 'string' ? expected.flatMap((one) => shownAs(one, { ...at, exchange, text }, sent)) : [],
    )
  })
}

type TextAt = Pick<Shown, 'place' | 'exchange' | 'pointer' | 'text'>

/** The length of the shortest digest in any format. */
const shortestDigest = 8

function shownAs({ form, right, ofEmpty }: Expected, at: TextAt, sent: SentBytes): Shown[] {
  if (at.text.length < shortestDigest) return []
  const found = (at.text.match(form.like) ?? []).map((one) => (one.includes('=') ? one : one.toLowerCase()))
  const isEmpty = ofEmpty !== undefined && found.includes(ofEmpty)
  return found.length === 0 || isEmpty ? [] : [{ ...at, form, sent, right, isRight: found.includes(right) }]
}

function base64(hex: string): string {
  return btoa(String.fromCharCode(...(hex.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16))))
}
