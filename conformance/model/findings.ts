/** The values that were found in the answers, with their places and the rules that found them. */

import { confirmed, fieldIn, keyPlace, requested, stored } from '../evidence/documents.ts'
import { type Evidence, resultIfSucceeded, sentBody } from '../evidence/evidence.ts'
import {
  executedDetails,
  execution,
  type SentExecution,
  type StartedExecution,
  sectionIn,
} from '../evidence/executions.ts'
import { findingAt } from '../evidence/show.ts'
import { counters } from '../evidence/shown.ts'
import { workflow } from '../evidence/workflows.ts'
import type { Finding } from '../reading/finding.ts'
import { lastName, valueAt } from '../reading/locate.ts'
import { analytics, findPart, type Part, type Section, sections } from '../reading/parts.ts'
import { type Exchange, succeeded } from '../wire/exchange.ts'
import type { StepName } from '../wire/label.ts'
import type { Binding } from './bind.ts'
import { answerKinds, boundIn } from './samples.ts'

/** JSON Pointers (RFC 6901) by the value that was found there. Places in headers or in other answers name them. */
export type LocatedPlaces = Partial<
  Record<'workflow_id' | 'upload_url' | 'session_id' | 'key' | 'document_id' | Section, string>
>

const locatedNames: readonly string[] = ['workflow_id', 'upload_url', 'session_id', 'key', 'document_id', ...sections]

/** Returns the place of each value that the run needs. */
export function located(evidence: Evidence): LocatedPlaces {
  const found = findingsOf(evidence).filter(({ what }) => locatedNames.includes(what))
  return Object.fromEntries(found.map(({ what, place }) => [what, place]))
}

/** Returns all findings with their rules. Omits the values of steps that failed. */
export function findingsOf(evidence: Evidence): readonly Finding[] {
  return evidence.once('findings', () =>
    [identifiers, uploadFindings, details, fields, counters].flatMap((find) =>
      find(evidence).filter(({ place }) => place !== ''),
    ),
  )
}

function identifiers(evidence: Evidence): Finding[] {
  const found = resultIfSucceeded(() => workflow(evidence, 1))
  const started = resultIfSucceeded(() => execution(evidence, 1))
  const idOf = (answer: Exchange) => answer.label?.about ?? sentBody<SentExecution>(answer).document_id
  const own: Finding[] = []
  if (found) {
    const { id, details } = found
    const rejected = refused(evidence, 'read workflow 1', details, ({ label }) => label?.about)
    const rule = 'reading with it returns its own workflow'
    own.push({ ...findingAt('workflow_id', 'created', id.pointer, id.value, rule), rejected })
  }
  if (started) {
    const rejected = refused(evidence, 'execute workflow 1', started.exchange, idOf)
    own.push({ ...documentFinding(started, 'an execution with it was accepted'), rejected })
  }
  return own
}

/** Returns the candidates that were tried before the successful one, with their statuses. */
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
  const upload = resultIfSucceeded(() => requested(evidence, 1))
  if (!upload) return []
  const isStored = resultIfSucceeded(() => stored(evidence, 1)) !== undefined
  const isConfirmed = resultIfSucceeded(() => confirmed(evidence, 1)) !== undefined
  const fields = (['upload_url', 'session_id'] as const).flatMap((name) => {
    const place = resultIfSucceeded(() => fieldIn(evidence, upload.exchange, name))
    const isUsed = name === 'upload_url' ? isStored : isConfirmed
    const rule = isUsed ? 'its name is documented, and using it works' : 'its name is documented'
    return place ? [findingAt(name, 'upload', place.pointer, place.value, rule, isUsed ? 'proven' : 'named')] : []
  })
  const key = resultIfSucceeded(() => keyPlace(evidence, 1))
  const rule = isConfirmed ? 'a confirmation with it was accepted' : 'it has the name or the form of a storage key'
  return key
    ? [...fields, findingAt('key', 'upload', key.pointer, key.value, rule, isConfirmed ? 'proven' : 'likely')]
    : fields
}

/** Returns the finding of one of the three; those of other uploads stand at the same place. */
export function uploadFinding(evidence: Evidence, what: 'upload_url' | 'session_id' | 'key', value: unknown): Finding {
  const found = uploadFindings(evidence).find((one) => one.what === what)
  return { ...(found ?? findingAt(what, 'upload', '', undefined, 'its name is documented', 'named')), value }
}

/** Returns the surest place of each fact in each kind of answer. */
function fields(evidence: Evidence): Finding[] {
  const strengths = ['proven', 'named', 'likely'] as const
  return answerKinds.flatMap((kind) => {
    const { bindings } = boundIn(evidence, kind)
    const sorted = strengths.flatMap((strength) => bindings.filter((one) => one.strength === strength))
    return sorted
      .filter(({ fact }, index) => sorted.findIndex((one) => one.fact === fact) === index)
      .map((binding) => findingOf(binding))
  })
}

function details(evidence: Evidence): Finding[] {
  const shown = resultIfSucceeded(() => ({ made: workflow(evidence, 1), after: executedDetails(evidence, 1).after }))
  if (!shown) return []
  const { json } = shown.after
  const found = (part: Part, place: string | undefined, rule = 'the words of its path') =>
    place === undefined ? [] : [findingAt(part, 'details', place, valueAt(json, place), rule, 'likely')]
  const { locators } = evidence.settings.profile
  return [
    ...sections.flatMap((section) => {
      const place = sectionIn(evidence, shown.made, json, section)
      return found(section, place, locators?.[section] === undefined ? undefined : 'it is set in the profile')
    }),
    ...analytics.flatMap((part) => found(part, findPart(json, part))),
  ]
}

/** Returns the finding of the document's identifier, in an answer of the upload flow that its place names. */
export function documentFinding({ place, documentId: value }: StartedExecution, rule: string): Finding {
  return { what: 'document_id', value, place, rule, strength: 'proven', rejected: [] }
}

/** The prefix of a fact in the report, by the list that its thing is in, or else by the answer. */
const owners: Readonly<Record<string, string>> = {
  ...{ steps: 'step', approvers: 'approver', executions: 'execution' },
  ...{
    created: 'workflow',
    details: 'workflow',
    executed: 'execution',
    upload: 'upload',
    confirmation: 'confirmation',
  },
}

/** The rules of the report, by the strength of the place. */
export const rules = {
  proven: 'shows what was sent in samples that differ',
  named: "has the contract's name and stands beside proven places",
  likely: "has the contract's name alone, or shows what was sent in some samples",
} as const

/** Describes a binding as a finding of the report. */
export function findingOf({ fact, answer, place, strength, agree }: Binding, value = agree[0]?.shown): Finding {
  const list = fact.split('/').at(-3)
  const what = `${owners[list ?? answer] ?? answer}.${lastName(fact)}`
  return findingAt(what, answer, place, value, rules[strength], strength)
}
