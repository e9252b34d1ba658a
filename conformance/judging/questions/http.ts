/** Open questions about keys, errors and HTTP: interface.md sections 4, 5, 7 and 8. */
import { findNamed } from '../../reading/locate.ts'
import { truncate } from '../../wire/inert.ts'
import { byOutcome, outcome, type Question } from './question.ts'

export const httpQuestions: readonly Question[] = [
  {
    id: 'gap.missing-key',
    ours: 'status 401',
    step: 'gap.auth-scheme',
    answer: (evidence) => outcome(evidence, evidence.last('gap.auth-scheme'), 'calls without a key are not refused'),
  },
  {
    id: 'gap.auth-scheme',
    ours: 'ApiKey',
    step: 'gap.auth-scheme',
    answer: (evidence) =>
      evidence.last('gap.auth-scheme').headers.get('WWW-Authenticate')?.split(' ')[0] ?? 'no challenge',
  },
  {
    id: 'gap.invalid-key',
    ours: 'another test key is accepted',
    step: 'gap.invalid-key',
    answer: (evidence) => outcome(evidence, evidence.last('gap.invalid-key'), 'another test key is accepted'),
  },
  byOutcome('gap.unknown-workflow', 'status 404'),
  {
    id: 'gap.error-codes',
    ours: 'workflow-not-found',
    step: 'gap.unknown-workflow',
    answer(evidence) {
      const code = findNamed(evidence.last('gap.unknown-workflow').json, 'code', 'error_code', 'type')?.value
      return typeof code === 'string' || typeof code === 'number' ? truncate(String(code), 60) : 'no code'
    },
  },
  {
    id: 'gap.error-format',
    ours: 'application/problem+json with type, title, status, code and detail',
    step: 'gap.unknown-workflow',
    answer(evidence) {
      const { headers, json } = evidence.last('gap.unknown-workflow')
      const names = json !== null && typeof json === 'object' ? Object.keys(json).slice(0, 8) : []
      const last = names.pop()
      const members = names.length > 0 ? `${names.join(', ')} and ${last}` : (last ?? 'no JSON')
      return `${headers.get('Content-Type')?.split(';')[0] ?? 'no media type'} with ${members}`
    },
  },
  {
    id: 'gap.invalid-request-status',
    ours: 'status 400',
    answer: (evidence) => outcome(evidence, evidence.last('create with 101 plain'), 'invalid fields are not refused'),
  },
  byOutcome('gap.unsupported-media-type', 'status 415', 'JSON as text/plain: '),
  byOutcome('gap.unknown-path', 'status 404'),
  {
    id: 'gap.cors',
    ours: 'a page on another origin may call',
    step: 'gap.cors',
    answer(evidence) {
      const isAllowed = evidence.last('gap.cors').headers.has('Access-Control-Allow-Origin')
      return isAllowed ? 'a page on another origin may call' : 'a page on another origin may not call'
    },
  },
  {
    id: 'gap.rate-limits',
    ours: 'no limit was reached',
    answer({ answers }) {
      const throttled = answers.filter(({ status }) => status === 429).length
      return throttled > 0 ? `${throttled} answers with status 429` : 'no limit was reached'
    },
  },
]
