/** The digests of uploaded files in the answers. A place counts only if it has shown a right digest before. */

import { digestsOf, type SentBytes } from '../../src/session/digests.ts'
import { normalizeName } from '../reading/names.ts'
import { leavesOf } from '../reading/places.ts'
import { isBesideFile, sizeOfAnother } from '../reading/sizes.ts'
import { hasRole, termsOf } from '../reading/vocabulary.ts'
import { type Exchange, sentJson, succeeded } from '../wire/exchange.ts'
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
  /** True if the text or the member's name says which digest it is, and the member stands beside what names the file. */
  readonly isNamed: boolean
}

/** The digests in the answers about stored files. */
export interface ShownDigests {
  /** True if any place shows the right digest of an uploaded file. */
  readonly isSeen: boolean
  /** A wrong digest. Its place shows the right digest of another file, or its name says that it is a digest. */
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
  return evidence.once('digests of documents', () => compared(shownForDocuments(evidence)))
}

/** Returns the digests of all stored files. The empty file, which is hardly ever damaged, proves a place. */
export function digestsShown(evidence: Evidence): ShownDigests {
  return evidence.once('digests of files', () => digestsOfFiles(evidence))
}

function digestsOfFiles(evidence: Evidence): ShownDigests {
  const { isOpen } = digestsOfDocuments(evidence)
  const others = otherPuts(evidence, isOpen ? [...oddKinds, 'empty'] : oddKinds)
  return compared([...shownForDocuments(evidence), ...others.flatMap(shownFor)])
}

function shownForDocuments(evidence: Evidence): readonly Shown[] {
  return evidence.once('digests shown for documents', () => putsOf(evidence).flatMap(shownFor))
}

const oddKinds = ['accented', 'bracketed', 'text'] as const

/** Returns a confirmation that shows a wrong size, at a place that shows the right ones of files with different sizes. */
export function wrongSizeShown(evidence: Evidence) {
  const confirmations = [...putsOf(evidence), ...otherPuts(evidence, oddKinds)].flatMap(({ sent, answers }) =>
    answers.flatMap(([answer, exchange]) =>
      answer === 'confirmation' ? [{ json: exchange.json, size: sent.size, exchange }] : [],
    ),
  )
  return sizeOfAnother(confirmations)
}

/** Returns the files beside the two documents that were stored. */
function otherPuts(evidence: Evidence, kinds: readonly ((typeof oddKinds)[number] | 'empty')[]): Put[] {
  return kinds.flatMap((kind) => {
    const put = evidence.has(`put object ${kind}`)
      ? resultIfSucceeded(() => putOf(evidence, `put object ${kind}`))
      : undefined
    if (!put) return []
    const confirmation = evidence.has(`confirm upload ${kind}`)
      ? resultIfSucceeded(() => evidence.last(`confirm upload ${kind}`))
      : undefined
    return [putFrom(put, confirmation && succeeded(confirmation) ? confirmation : undefined)]
  })
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

function compared(shown: readonly Shown[]): ShownDigests {
  const isSame = (one: Shown) => (other: Shown) => other.place === one.place && other.form === one.form
  const wrong = shown.find(
    (one) => !one.isRight && (one.isNamed || shown.some((other) => other.isRight && isSame(one)(other))),
  )
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
    const marks = leavesOf(sentJson(exchange)).map(({ value }) => String(value))
    const texts = [
      ...[...exchange.headers].map(([name, value]) => ({ place: `${answer} ${name}`, value })),
      ...leavesOf(exchange.json).map(({ pointer, name, value }) => {
        return {
          place: `${answer} ${pointer}`,
          pointer,
          name,
          value,
          // Only for the few that need it, since an answer may have thousands of members.
          isBeside: () => isBesideFile(exchange.json, pointer, marks),
        }
      }),
    ]
    return texts.flatMap(({ value: text, ...at }) =>
      typeof text === 'string' ? expected.flatMap((one) => shownAs(one, { ...at, exchange, text }, sent)) : [],
    )
  })
}

interface TextAt extends Pick<Shown, 'place' | 'exchange' | 'pointer' | 'text'> {
  readonly name?: string
  readonly isBeside?: () => boolean
}

/** The length of the shortest digest in any format. */
const shortestDigest = 8

function shownAs({ form, right, ofEmpty }: Expected, at: TextAt, sent: SentBytes): Shown[] {
  if (at.text.length < shortestDigest) return []
  const found = (at.text.match(form.like) ?? []).map((one) => (one.includes('=') ? one : one.toLowerCase()))
  const isEmpty = ofEmpty !== undefined && found.includes(ofEmpty)
  if (found.length === 0 || isEmpty) return []
  return [
    {
      ...at,
      form,
      sent,
      right,
      isRight: found.includes(right),
      isNamed: saysForm(at, form) && at.isBeside?.() === true,
    },
  ]
}

/** Returns true if a member is called a digest, and its name or the beginning of its text says which: `sha256:…`. */
function saysForm({ text, name = '' }: TextAt, form: Form): boolean {
  const isForm = (said: string) => normalizeName(said) === normalizeName(form.name)
  const [before = '', ...after] = text.split(form.like)
  const terms = termsOf(name)
  const isSaid = isForm(before) || (before === '' && terms.some(({ word }) => isForm(word)))
  // Eight digits without a letter may be a decimal number.
  const isWhole = after.join('') === '' && !/^\d{8}$/.test(text)
  return (
    isWhole && isSaid && terms.every((term) => isForm(term.word) || hasRole(term, 'digest', 'document', 'envelope'))
  )
}

function base64(hex: string): string {
  return btoa(String.fromCharCode(...(hex.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16))))
}
