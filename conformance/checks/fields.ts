/** The checks of fields: each names its fact, the answers in which it is looked for, and how it is compared. */
import { digestsOf } from '../../src/session/digests.ts'
import type { RequirementId } from '../catalogue/catalogue.ts'
import { confirmed, isCalledDocument, requested } from '../evidence/documents.ts'
import type { Evidence } from '../evidence/evidence.ts'
import { executedDetails, execution } from '../evidence/executions.ts'
import { show } from '../evidence/show.ts'
import { sideWorkflow, type WorkflowBody, workflow } from '../evidence/workflows.ts'
import { accepted, type Check, fail, type Observation, pass } from '../judging/check.ts'
import { sideBySideByDefault } from '../judging/step-order.ts'
import { judgeRefusal } from '../judging/workflow-name.ts'
import type { Binding, Listed, Seen } from '../model/bind.ts'
import { type AnswerKind, boundIn, digestFacts } from '../model/samples.ts'
import { isStrong } from '../model/values.ts'
import type { Finding } from '../reading/finding.ts'
import { decodePercent, isMasked } from '../reading/locate.ts'
import { isSameName } from '../reading/names.ts'
import { describeAnswer, succeeded } from '../wire/exchange.ts'

/** Where a fact is looked for, and how it is compared. */
export interface Field {
  readonly answers: readonly AnswerKind[]
  /** The path of the fact; `*` is any thing of a list. */
  readonly fact: string
  /** The samples that count. @default all */
  readonly of?: (seen: Seen) => boolean
  /** True if a shown value stands for the sent one, besides the same one. */
  readonly isRight?: (shown: string, sent: string) => boolean
  /** True if a place may show a part of it, if another place of the answer shows the whole. @default false */
  readonly mayBePart?: boolean
  /** Says what was sent. @default the name of the field */
  readonly said?: string
}

/** Returns all bindings of a field, those of the first answers first. The details may show it again for each execution. */
export function bindingsOf(evidence: Evidence, { answers, fact }: Pick<Field, 'answers' | 'fact'>): Binding[] {
  const facts = answers.includes('executed') ? [fact, `executions/*/${fact}`] : [fact]
  return answers.flatMap((answer) => boundIn(evidence, answer).bindings.filter((one) => facts.includes(one.fact)))
}

/** A workflow's name is longer only in the check of its limit. */
const longestName = 100
const lastName = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** Judges a field: broken where a place that is sure to show it shows something else. */
function judgeField(evidence: Evidence, field: Field): Observation {
  const { of = () => true, said = lastName(field.fact) } = field
  const sure = bindingsOf(evidence, field).filter(({ strength }) => strength !== 'likely')
  for (const binding of sure) {
    const against = [...binding.against, ...lostAt(binding)].filter((seen) => of(seen) && !standsFor(seen, field))
    const wrong = against.find((seen) => !isShownElsewhere(evidence, binding, seen, field.mayBePart))
    if (wrong) {
      const message = `${said} was sent as ${show(wrong.sent)}, but is shown as ${show(wrong.shown)}.`
      return fail(message, findingOf(binding, wrong.shown), comparedIn(wrong))
    }
  }
  const converted = otherUnit(sure)
  if (converted) return converted
  return sure.some(({ agree }) => agree.some(of))
    ? pass(`${said} is shown as it was sent.`)
    : accepted(`${said} was accepted, and no answer is sure to show it.`)
}

/** One name has one unit, in all answers. */
function otherUnit(sure: readonly Binding[]): Observation | undefined {
  const same = sure.filter(({ form }) => form === 'same')
  const other = sure.find(
    ({ form, place }) => form === 'factor' && same.some((one) => lastName(one.place) === lastName(place)),
  )
  const [seen] = other?.agree ?? []
  if (!other || !seen) return undefined
  const message = `${lastName(other.place)} was sent as ${show(seen.sent)}, and another answer shows that, but this one ${show(seen.shown)}.`
  return fail(message, findingOf(other, seen.shown), comparedIn(seen))
}

/** Describes what a comparison is about, for the report. */
export const comparedIn = ({ sample: { exchange }, pointer, sent, shown }: Seen) => ({ exchange, pointer, sent, shown })

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

const rules = {
  proven: 'shows what was sent in samples that differ',
  named: "has the contract's name and stands beside proven places",
  likely: "has the contract's name alone, or shows what was sent in some samples",
} as const

/** Describes a binding as a finding of the report. */
export function findingOf({ fact, answer, place, strength, agree }: Binding, value = agree[0]?.shown): Finding {
  const list = fact.split('/').at(-3)
  const what = `${owners[list ?? answer] ?? answer}.${lastName(fact)}`
  return { what, answer, value, place, rule: rules[strength], strength, rejected: [] }
}

function standsFor({ shown, sent }: Seen, { isRight }: Field): boolean {
  if (shown === null || shown === undefined || shown === '') return false
  // A sentence with the sent text, or an address such as mailto:.
  const holds = typeof shown === 'string' && isStrong(sent) && holdsText(shown, String(sent))
  return holds || isMaskOf(String(shown), String(sent)) || isRight?.(String(shown), String(sent)) === true
}

/** Returns true for a text in which marks stand for parts of another one: `s***@example.com`. */
function isMaskOf(shown: string, sent: string): boolean {
  if (!isMasked(shown)) return false
  let from = 0
  return shown.split(/[*•]+|xxx/).every((part) => {
    const at = sent.indexOf(part, from)
    from = at + part.length
    return at >= 0
  })
}

/** Returns true if a text holds another one between blanks, brackets and marks: a longer word is another one. */
function holdsText(text: string, part: string): boolean {
  const at = text.indexOf(part)
  const [before, after] = [text.slice(0, Math.max(0, at)), text.slice(at + part.length)]
  return at >= 0 && /(^|[\s<(["',;:|])$/.test(before) && /^($|[\s>)\]"',;:|]|[.!?](\s|$))/.test(after)
}

/** A member that its neighbours in the same list have. */
function lostAt({ agree, silent, strength, place }: Binding): readonly Seen[] {
  if (strength !== 'proven' || !place.includes('*') || !agree.some(({ sent }) => isStrong(sent))) return []
  const isBeside = ({ sample }: Seen) => agree.some((one) => one.sample.exchange === sample.exchange)
  const isThere = ({ sample }: Seen) =>
    agree.some((one) => one.sample.exchange === sample.exchange && one.sample.about === sample.about)
  return silent.filter(
    (seen) => isBeside(seen) && !isThere(seen) && seen.sample.shown !== null && typeof seen.sample.shown === 'object',
  )
}

/** A place that only has a common word for its name may be something else, if another place of the answer shows the value of that thing. */
function isShownElsewhere(
  evidence: Evidence,
  { strength, fact, answer, place }: Binding,
  { sample }: Seen,
  mayBePart = false,
): boolean {
  if (!mayBePart && (strength === 'proven' || /[a-z][_A-Z]/.test(lastName(fact)))) return false
  const others = boundIn(evidence, answer as AnswerKind).bindings.filter((one) => one.fact === fact)
  return others.some(
    (one) =>
      one.place !== place &&
      one.strength !== 'likely' &&
      one.agree.some(({ sample: other }) => other.exchange === sample.exchange && other.about === sample.about),
  )
}

/** Judges a list: a container that is complete in most answers, or has the contract's name, must show all things, each once. */
function judgeList(evidence: Evidence, answers: readonly AnswerKind[], fact: string): Observation {
  const name = lastName(fact)
  const listings = answers.flatMap((answer) => boundIn(evidence, answer).listings.filter((one) => one.fact === fact))
  let isShown = false
  for (const { place, answer, seen } of listings) {
    const isNamed = isSameName(lastName(place), name)
    const counted = seen.filter(({ things }) => things.length > 0)
    const whole = counted.filter(({ missing, doubled }) => missing.length + doubled.length === 0)
    const isProven = new Set(whole.map(({ things }) => things)).size > 1 && whole.length > counted.length / 2
    isShown ||= whole.length > 0
    // As many members as things may be references to them.
    const mayFlaw = ({ found, others, things }: Listed) => found.length > 0 || (isNamed && others !== things.length)
    const flawed = counted.find((one) => !whole.includes(one) && mayFlaw(one))
    if (!flawed || !(isNamed || isProven)) continue
    const { exchange } = flawed.sample
    const own = { what: `${answer}.${name}`, answer, value: flawed.found.length, place: `${place}/*`, rejected: [] }
    const strength = isProven ? 'proven' : 'named'
    return fail(
      describeFlaw(flawed, name),
      { ...own, strength, rule: rules[strength] },
      {
        exchange,
        pointer: flawed.pointer,
        sent: flawed.things.length,
        shown: flawed.found.length + flawed.others,
      },
    )
  }
  return isShown ? pass(`All ${name} are shown.`) : accepted(`The ${name} were accepted, but no answer shows them.`)
}

/** Fails for a list of the contract's name that is empty, although things were sent for it. */
export function emptyList(evidence: Evidence, fact: string): Observation | undefined {
  for (const { place, answer, seen } of ofWorkflow.answers.flatMap((kind) => boundIn(evidence, kind).listings)) {
    const empty = seen.find(({ things, found, others }) => things.length > 0 && found.length + others === 0)
    if (!empty || !isSameName(lastName(place), fact)) continue
    const { sample, pointer, things } = empty
    const own = { what: `workflow.${fact}`, answer, value: 0, place: `${place}/*`, rejected: [] }
    const finding: Finding = { ...own, strength: 'named', rule: rules.named }
    const message = `${describeAnswer(sample.exchange)} with a workflow without ${fact}.`
    return fail(message, finding, { exchange: sample.exchange, pointer, sent: things, shown: [] })
  }
  return undefined
}

function describeFlaw({ things, missing, doubled, pointer }: Listed, name: string): string {
  const what = missing.length > 0 ? `lacks ${missing.length}` : `repeats ${doubled.length}`
  return `${things.length} ${name} were sent, but ${pointer} ${what} of them.`
}

/** The calls without which a field cannot be judged. Each throws the reason if it failed. */
const needs = {
  workflows: (evidence: Evidence) => workflow(evidence, 1),
  uploads: (evidence: Evidence) => [requested(evidence, 1), requested(evidence, 2)],
  confirmations: (evidence: Evidence) => confirmed(evidence, 1),
  executions: (evidence: Evidence) => [execution(evidence, 1), executedDetails(evidence, 1)],
} as const

interface Row extends Field {
  readonly needs: keyof typeof needs
}

const ofWorkflow = { needs: 'workflows', answers: ['created', 'details'] } as const
const ofStep = { needs: 'workflows', answers: ['created', 'details', 'executed'] } as const
const ofUpload = { needs: 'uploads', answers: ['upload'] } as const
const ofConfirmation = { needs: 'confirmations', answers: ['confirmation'] } as const
const ofExecution = { needs: 'executions', answers: ['executed', 'details'] } as const

const lower = (text: string) => text.normalize('NFC').toLowerCase()
const inAnyCase = (shown: string, sent: string) => lower(shown) === lower(sent)
/** A text that the document calls one of a list, of which it names no other: it may be shown as a code, or with a prefix. */
const asCode = (shown: string, sent: string) => /^\d+$/.test(shown) || lower(shown).includes(lower(sent))
const containsName = (shown: string, sent: string) =>
  [shown, decodePercent(shown)].some((text) => lower(text).includes(lower(sent)))
/** The confirmation may move the object to another key. */
const isMoved = (shown: string, sent: string) => shown.startsWith('tenants/') && shown.endsWith(lastName(sent))

/** The size may be shown in another unit, which the document leaves open. */
const inUnit = (shown: string, sent: string) =>
  [1000, 1024, 1000 ** 2, 1024 ** 2].some((unit) => Math.abs(Number(shown) - Number(sent) / unit) <= 1)

/** Other texts in the place of a digest say nothing, such as the tag of a file that was put in parts, or that of the empty answer. */
function isNoDigest(shown: string, sent: string): boolean {
  const words = shown.toLowerCase().split(/[^\w+/=]+/)
  const isHex = /^[\da-f]+$/.test(sent)
  const isLike = (word: string) => word.length === sent.length && (!isHex || /^(?=\d*[a-f])[\da-f]+$/.test(word))
  return !words.some(isLike) || words.some((word) => digestsOfNothing.has(word))
}

const digestsOfNothing = new Set(Object.values(digestFacts(digestsOf(new Uint8Array()))).map(lower))

/** What answers about a stored file may show of its bytes. */
const ofBytes: readonly Field[] = [
  ...(['md5', 'sha256', 'crc32', 'md5_base64', 'sha256_base64'] as const).map((fact) => ({
    ...{ answers: ['stored', 'confirmation'] as const, fact, isRight: isNoDigest },
    said: `A file with the ${fact.replace('_', ' in ')}`,
  })),
  { answers: ['confirmation'], fact: 'file_size', isRight: inUnit, mayBePart: true, said: 'A file with the size' },
]

/** One row for each field. */
const rows: Readonly<Partial<Record<RequirementId, Row>>> = {
  'workflow.description': { ...ofWorkflow, fact: 'description' },
  'step.step-id': { ...ofStep, fact: 'steps/*/step_id' },
  'step.name': { ...ofStep, fact: 'steps/*/name' },
  'step.order': { ...ofStep, fact: 'steps/*/order' },
  'step.order-starts-at-1': {
    ...ofStep,
    fact: 'steps/*/order',
    of: ({ sent, sample }) => sent === 1 && sample.position === 1,
  },
  'step.type-approval': { ...ofWorkflow, fact: 'steps/*/type', isRight: asCode },
  'step.estimated-duration': { ...ofWorkflow, fact: 'steps/*/estimated_duration' },
  'approver.email': { ...ofWorkflow, fact: 'steps/*/approvers/*/email' },
  'approver.name': { ...ofStep, fact: 'steps/*/approvers/*/name' },
  'execution.submitter-email': { ...ofExecution, fact: 'submitter_email', isRight: inAnyCase },
  'execution.mode-standard': { ...ofExecution, fact: 'execution_mode', isRight: asCode },
  'execution.priority-high': { ...ofExecution, fact: 'priority', isRight: asCode },
  'upload.file-name': { ...ofUpload, fact: 'file_name', isRight: containsName },
  'upload.content-type': {
    ...ofUpload,
    fact: 'content_type',
    isRight: (shown, sent) => lower(shown).startsWith(lower(sent)),
  },
  'upload.file-size': { ...ofUpload, fact: 'file_size', isRight: inUnit, mayBePart: true },
  'confirm.session-id': { ...ofConfirmation, fact: 'session_id', isRight: inAnyCase },
  'completed-file.key': { ...ofConfirmation, fact: 'key', isRight: isMoved },
  'completed-file.file-name': { ...ofConfirmation, fact: 'file_name', isRight: containsName },
}

const isByDefault = ({ sample }: Seen) => (sample.about as WorkflowBody).isSequential === undefined
const hasUsualName = ({ sent }: Seen) => String(sent).length < longestName

/** The checks of fields and lists. */
export const fieldChecks: readonly Check[] = [
  ...Object.entries(rows).map(
    ([id, row]): Check => ({
      id: id as RequirementId,
      judge(evidence) {
        needs[row.needs](evidence)
        return judgeField(evidence, row)
      },
    }),
  ),
  {
    id: 'execution.document-id',
    judge(evidence) {
      needs.executions(evidence)
      const field = { ...ofExecution, fact: 'document_id' }
      const isShown = bindingsOf(evidence, field).some(({ agree }) => agree.length > 0)
      // If the identifier was only guessed, answers may show the document under its true one.
      const isCalled = isCalledDocument(evidence, 1, execution(evidence, 1).documentId)
      if (isShown || isCalled) return judgeField(evidence, field)
      return accepted('document_id was accepted, but no answer names an identifier that it can be compared with.')
    },
  },
  {
    id: 'workflow.name',
    judge(evidence) {
      workflow(evidence, 2)
      return judgeField(evidence, { ...ofWorkflow, fact: 'name', of: hasUsualName })
    },
  },
  {
    id: 'workflow.is-sequential',
    judge(evidence) {
      workflow(evidence, 2)
      return judgeField(evidence, { ...ofWorkflow, fact: 'isSequential', of: (seen) => !isByDefault(seen) })
    },
  },
  {
    id: 'workflow.is-sequential-default-true',
    judge(evidence) {
      workflow(evidence, 1)
      const created = evidence.last('create by default')
      if (!succeeded(created)) return judgeRefusal(evidence, created, 'a workflow without isSequential')
      sideWorkflow(evidence, 'create by default', 'read by default')
      const shown = judgeField(evidence, { ...ofWorkflow, fact: 'isSequential', of: isByDefault })
      return shown.verdict === 'fail' ? shown : (sideBySideByDefault(evidence) ?? shown)
    },
  },
  {
    id: 'storage.raw-bytes',
    judge(evidence) {
      // The second file is longer than typical buffers. Neither file may replace the other.
      confirmed(evidence, 1)
      confirmed(evidence, 2)
      const found = ofBytes.map((field) => judgeField(evidence, field))
      const wrong = found.find(({ verdict }) => verdict === 'fail')
      if (wrong) return wrong
      return found.some(({ verdict }) => verdict === 'pass')
        ? pass('Storage took files with all byte values, and answers show the size or a digest of each.')
        : accepted('Storage took files with all byte values, but no answer shows a size or a digest.')
    },
  },
  {
    id: 'workflow.steps',
    judge(evidence) {
      workflow(evidence, 1)
      return judgeList(evidence, ofWorkflow.answers, 'steps')
    },
  },
  {
    id: 'step.approvers',
    judge(evidence) {
      workflow(evidence, 1)
      return judgeList(evidence, ofWorkflow.answers, 'steps/*/approvers')
    },
  },
]
