/** What was found where in the answers, and why it was taken for that. */
import { findAnalytics } from '../reading/analytics.ts'
import type { Finding } from '../reading/finding.ts'
import { at } from '../reading/locate.ts'
import type { Section } from '../reading/sections.ts'
import { type Exchange, succeeded } from '../wire/exchange.ts'
import type { StepName } from '../wire/label.ts'
import { confirmed, fieldIn, keyPlace, requested, stored } from './documents.ts'
import { type Evidence, ifCameAbout, sentBody } from './evidence.ts'
import { executedDetails, execution, type SentExecution, sectionIn, sections } from './executions.ts'
import { counters, echoes } from './shown.ts'
import { workflow } from './workflows.ts'

/** JSON Pointers (RFC 6901) by what was found there; some stand in headers or in another answer, which they name. */
export type LocatedPlaces = Partial<
  Record<'workflow_id' | 'upload_url' | 'session_id' | 'key' | 'document_id' | Section, string>
>

const locatedNames: readonly string[] = ['workflow_id', 'upload_url', 'session_id', 'key', 'document_id', ...sections]

/** Returns where each thing that the run needs was found. */
export function located(evidence: Evidence): LocatedPlaces {
  const found = findingsOf(evidence).filter(({ what }) => locatedNames.includes(what))
  return Object.fromEntries(found.map(({ what, place }) => [what, place]))
}

/** Returns everything that was found, with the rule that found it. What did not come about is left out. */
export function findingsOf(evidence: Evidence): readonly Finding[] {
  return evidence.once('findings', () =>
    [identifiers, uploadFindings, details, echoes, counters].flatMap((find) =>
      find(evidence).filter(({ place }) => place !== ''),
    ),
  )
}

function identifiers(evidence: Evidence): Finding[] {
  const found = ifCameAbout(() => workflow(evidence, 1))
  const started = ifCameAbout(() => execution(evidence, 1))
  return [
    ...(found
      ? [
          finding('workflow_id', found.id.pointer, found.id.value, 'it reads back its own workflow', 'proven', {
            answer: 'created',
            rejected: refused(evidence, 'read workflow 1', found.details, ({ label }) => label?.about),
          }),
        ]
      : []),
    ...(started
      ? [
          finding('document_id', started.place, started.documentId, 'executing with it was accepted', 'proven', {
            rejected: refused(
              evidence,
              'execute workflow 1',
              started.exchange,
              (answer) => answer.label?.about ?? sentBody<SentExecution>(answer).document_id,
            ),
          }),
        ]
      : []),
  ]
}

/** What was tried before the answer that was carried out, and how it was answered. */
function refused(
  evidence: Evidence,
  step: StepName,
  accepted: Exchange,
  nameOf: (answer: Exchange) => string | undefined,
): string[] {
  const tried = evidence.all(step).filter((answer) => !succeeded(answer) && nameOf(answer) !== nameOf(accepted))
  return [...new Set(tried.map((answer) => `${nameOf(answer)}: status ${answer.status}`))]
}

/** Returns where the answers show upload_url, session_id and the storage key of the first upload. */
function uploadFindings(evidence: Evidence): Finding[] {
  const upload = ifCameAbout(() => requested(evidence, 1))
  if (!upload) return []
  const isStored = ifCameAbout(() => stored(evidence, 1)) !== undefined
  const isConfirmed = ifCameAbout(() => confirmed(evidence, 1)) !== undefined
  const fields = (['upload_url', 'session_id'] as const).flatMap((name) => {
    const place = ifCameAbout(() => fieldIn(evidence, upload.exchange, name))
    const isUsed = name === 'upload_url' ? isStored : isConfirmed
    const rule = isUsed ? 'the document names it, and using it works' : 'the document names it'
    return place ? [finding(name, place.pointer, place.value, rule, isUsed ? 'proven' : 'named', inUpload)] : []
  })
  const key = ifCameAbout(() => keyPlace(evidence, 1))
  const rule = isConfirmed ? 'confirming with it was accepted' : 'its name or its form is that of a storage key'
  return key
    ? [...fields, finding('key', key.pointer, key.value, rule, isConfirmed ? 'proven' : 'likely', inUpload)]
    : fields
}

const inUpload = { answer: 'upload' } as const

/** Returns the finding of one of the three; those of other uploads stand at the same place. */
export function uploadFinding(evidence: Evidence, what: 'upload_url' | 'session_id' | 'key', value: unknown): Finding {
  const found = uploadFindings(evidence).find((one) => one.what === what)
  return { ...(found ?? finding(what, '', undefined, 'the document names it', 'named', inUpload)), value }
}

function details(evidence: Evidence): Finding[] {
  const shown = ifCameAbout(() => ({ made: workflow(evidence, 1), after: executedDetails(evidence, 1).after }))
  if (!shown) return []
  const { json } = shown.after
  const parts = sections.flatMap((section) => {
    const place = sectionIn(evidence, shown.made, json, section)
    const isGiven = evidence.settings.profile.locators?.[section] !== undefined
    const rule = isGiven ? 'the profile says so' : 'the words on the way to it'
    return place === undefined ? [] : [finding(section, place, at(json, place), rule, 'likely', inDetails)]
  })
  const facts = (['bottlenecks', 'success-rate', 'completion-time'] as const).flatMap(
    (fact) => findAnalytics(json, fact) ?? [],
  )
  return [...parts, ...facts.map((one) => ({ ...one, ...inDetails }))]
}

const inDetails = { answer: 'details' } as const

function finding(
  what: string,
  place: string,
  value: unknown,
  rule: string,
  strength: Finding['strength'],
  { answer, rejected = [] }: Partial<Pick<Finding, 'answer' | 'rejected'>> = {},
): Finding {
  return { what, ...(answer !== undefined && { answer }), value, place, rule, strength, rejected }
}
