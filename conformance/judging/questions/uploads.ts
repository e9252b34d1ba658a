/** Open questions about uploads and storage: interface.md sections 2, 4.4 to 4.6 and 8. */
import { confirmed, requested, storageKey } from '../../evidence/documents.ts'
import { answerOfQuestion, byOutcome, memberNames, type Question } from './question.ts'

export const uploadQuestions: readonly Question[] = [
  byOutcome('gap.file-size-unit', 'accepted', 'a size of 0: '),
  byOutcome('gap.max-file-size', 'status 413', 'a size of 10 GiB: '),
  byOutcome('gap.content-type-format', 'accepted', 'application/x-conformance: '),
  byOutcome('gap.file-name-rules', 'status 400', 'a name with a slash: '),
  {
    id: 'gap.upload-response',
    ours: 'expires_at, headers, key, method, session_id, upload_url',
    answer: (evidence) => memberNames(requested(evidence, 1).exchange),
  },
  {
    id: 'gap.confirm-response',
    ours: 'confirmed_at, content_type, crc32, document_id, file_name, file_size, key, session_id',
    answer: (evidence) => memberNames(confirmed(evidence, 1)),
  },
  {
    id: 'gap.storage-key-middle',
    ours: '3 segments between tenants/ and the file name',
    answer: (evidence) =>
      `${storageKey(evidence, 1).split('/').length - 2} segments between tenants/ and the file name`,
  },
  {
    id: 'gap.storage-address',
    ours: "on the service's own origin",
    answer(evidence) {
      const isSame = new URL(requested(evidence, 1).uploadUrl).origin === new URL(evidence.settings.url).origin
      return isSame ? "on the service's own origin" : 'on another origin'
    },
  },
  {
    id: 'gap.upload-url-lifetime',
    ours: '900 seconds, according to the URL',
    answer(evidence) {
      const { searchParams } = new URL(requested(evidence, 1).uploadUrl)
      const [, seconds] = [...searchParams].find(([name]) => name.toLowerCase().endsWith('expires')) ?? []
      return seconds && Number(seconds) < 1e6 ? `${seconds} seconds, according to the URL` : 'not shown in the URL'
    },
  },
  byOutcome('gap.confirm-before-put', 'status 409'),
  byOutcome('gap.unknown-session', 'status 404'),
  byOutcome('gap.confirm-mismatch', 'status 409', 'the key of another upload: '),
  byOutcome('gap.confirm-twice', 'accepted'),
  byOutcome('gap.storage-content-type-mismatch', 'status 403'),
  byOutcome('gap.storage-length-mismatch', 'status 403'),
  byOutcome('gap.storage-authorization', 'status 400'),
  byOutcome('gap.storage-checksum', 'status 400', 'the Content-MD5 of other bytes: '),
  byOutcome('gap.storage-precondition', 'status 412', 'a second PUT with If-None-Match: '),
  byOutcome('gap.storage-content-encoding', 'status 403'),
  {
    id: 'gap.storage-errors',
    ours: 'application/xml',
    step: 'gap.storage-errors',
    answer: (evidence) =>
      answerOfQuestion('gap.storage-errors', evidence).headers.get('Content-Type')?.split(';')[0] ?? 'no media type',
  },
  byOutcome('gap.storage-rewrite', 'accepted', 'a second PUT before the confirmation: '),
]
