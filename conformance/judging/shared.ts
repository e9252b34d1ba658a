import type { RequirementId } from '../catalogue/catalogue.ts'
import { type Evidence, resultIfSucceeded } from '../evidence/evidence.ts'
import { show } from '../evidence/show.ts'
import type { Finding } from '../reading/finding.ts'
import { type Located, membersOf } from '../reading/locate.ts'
import { isSameLeaf, leavesOf } from '../reading/places.ts'
import { fileSizes, isCalledSize } from '../reading/sizes.ts'
import { describeAnswer, type Exchange, pathOf, succeeded, succeededLike, Undecided } from '../wire/exchange.ts'
import type { StepName } from '../wire/label.ts'
import type { Recorded } from '../wire/record.ts'
import { type Check, fail, type Observation, pass } from './check.ts'

/** Creates a check that passes if a step succeeds. If it fails, the step throws the reason. */
export function stepSucceeds(id: RequirementId, step: (evidence: Evidence) => Exchange): Check {
  return { id, judge: (evidence) => pass(`${describeAnswer(step(evidence))}.`) }
}

/** Passes if a call with a value was refused in any way. `control` is the answer to a valid call. */
export function mustBeRefused(exchange: Exchange, control: Exchange, what: string, sent: unknown): Observation {
  return succeededLike(exchange, control)
    ? fail(`${describeAnswer(exchange)} to ${what}.`, 'outcome', { exchange, sent })
    : pass(`${describeAnswer(exchange)} to ${what}.`)
}

/**
 * Returns the answer to a request that should be refused. A 5xx counts as a refusal only if it is repeatable.
 * Throws `Undecided` if the repeated request got another refusal.
 */
export function refusalOf(evidence: Evidence, step: StepName): Recorded {
  const last = evidence.last(step)
  const [first = last] = evidence.all(step).filter(({ status }) => status !== 429)
  if (first.status < 500) return first
  if (last.status >= 500 || succeeded(last)) return last
  const why = `it answered ${first.status}, and ${last.status} when it was repeated`
  throw new Undecided(pathOf(first.request), 'is inconclusive', why)
}

/** Returns an answer that shows whether a request was accepted. Throws `Undecided` for a 5xx, which does not. */
export function requireConclusive<Answer extends Exchange>(answer: Answer): Answer {
  if (answer.status < 500) return answer
  const why = `it answered ${answer.status}, although similar requests succeed`
  throw new Undecided(pathOf(answer.request), 'is inconclusive', why)
}

/** Returns true if a shown size differs from `bytes` in all units. The unit of sizes is not documented. */
export function isOtherSize(shown: unknown, bytes: number): boolean {
  const size = Number(shown)
  const units = [1000, 1024, 1000 ** 2, 1024 ** 2]
  return Number.isFinite(size) && size !== bytes && units.every((unit) => Math.abs(size - bytes / unit) > 1)
}

/**
 * Returns a wrong size in an answer: one beside an identifier of the file, if no size in the answer is right. Other sizes may
 * be those of a page or a limit.
 */
export function otherSizeIn(json: unknown, bytes: number, marks: readonly string[]): Located | undefined {
  const isRight = ({ name, value }: Located) => isCalledSize(name) && !isOtherSize(value, bytes)
  return membersOf(json).some(isRight) ? undefined : fileSizes(json, marks)[0]
}

/** An answer, and the sent value that it may show. */
export interface Shown {
  readonly exchange: Exchange
  readonly sent: string
}

/**
 * Returns a failure if an answer shows another text than was sent, at a place that shows the sent text in two other answers. The place may
 * have any name. `what` ends with the name of the member: `upload.file_name`.
 */
export function textOfAnother(
  { what, answer }: Readonly<Record<'what' | 'answer', string>>,
  looks: readonly Shown[],
  isSame: (shown: string, sent: string) => boolean,
): Observation | undefined {
  const texts = looks.map(({ exchange }) => leavesOf(exchange.json).filter(({ value }) => typeof value === 'string'))
  const right = looks.flatMap(({ sent }, look) =>
    (texts[look] ?? []).flatMap(({ pointer, value }) => (isSameLeaf(value, sent) ? [{ pointer, sent }] : [])),
  )
  const isProven = (pointer: string) =>
    new Set(right.flatMap((one) => (one.pointer === pointer ? [one.sent] : []))).size > 1
  for (const [look, { exchange, sent }] of looks.entries()) {
    const shown = texts[look] ?? []
    if (shown.some(({ value }) => isSameLeaf(value, sent))) continue
    const wrong = shown.find(({ pointer, value }) => isProven(pointer) && !isSame(String(value), sent))
    if (!wrong) continue
    const name = what.slice(what.lastIndexOf('.') + 1)
    const { value, pointer: place } = wrong
    const own = { what, answer, value, place, rejected: [] }
    const finding: Finding = { ...own, rule: 'shows what was sent in samples that differ', strength: 'proven' }
    const message = `${name} was sent as ${show(sent)}, but is shown as ${show(value)}.`
    return fail(message, finding, { exchange, sent, shown: value })
  }
  return undefined
}

/** Returns the finding of a wrong size. */
export function sizeFinding(answer: string, { pointer: place, value }: Located, isProven = false): Finding {
  const own = { what: `${answer}.file_size`, answer, value, place, rejected: [] }
  return isProven
    ? { ...own, rule: 'shows the sizes of files that differ in size', strength: 'proven' }
    : { ...own, rule: 'is called a size and stands beside what names the file', strength: 'named' }
}

/** Returns the results for documents 1 and 2. Omits the second if it failed, which another check reports. */
export function ofBoth<T>(look: (which: 1 | 2) => T): T[] {
  const first = look(1)
  const second = resultIfSucceeded(() => look(2))
  return second === undefined ? [first] : [first, second]
}

/** Returns true if a text is a UUID, in any case (RFC 9562 section 4). */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)
}

/** The message for an execution that the details do not show. */
export const notStarted =
  'The execution was accepted, but the details neither count nor list it. If they show it later, set settleSeconds in the profile'
