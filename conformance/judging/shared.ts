import type { RequirementId } from '../catalogue/catalogue.ts'
import { type Evidence, ifCameAbout } from '../evidence/evidence.ts'
import type { Finding } from '../reading/finding.ts'
import { type Located, membersOf } from '../reading/locate.ts'
import { fileSizes } from '../reading/sizes.ts'
import { isNamed } from '../reading/vocabulary.ts'
import { type Exchange, label, pathOf, succeeded, succeededLike, Undecided } from '../wire/exchange.ts'
import type { StepName } from '../wire/label.ts'
import type { Recorded } from '../wire/record.ts'
import { type Check, fail, type Observation, pass } from './check.ts'

/** Passes if a step of the flow came about; if it did not, the step itself says whose fault that is. */
export function stepSucceeds(id: RequirementId, step: (evidence: Evidence) => Exchange): Check {
  return { id, judge: (evidence) => pass(`${label(step(evidence))}.`) }
}

/** Passes if the call was refused, whatever the refusal looks like; the control is the answer to a sound one. */
export function mustBeRefused(exchange: Exchange, control: Exchange, what: string): Observation {
  return succeededLike(exchange, control)
    ? fail(`${label(exchange)} to ${what}.`, 'outcome')
    : pass(`${label(exchange)} to ${what}.`)
}

/**
 * Returns the answer to what ought to be refused. A server that fails at it (5xx) has refused it only if it does so twice.
 * Throws `Undecided` if it then refuses it otherwise.
 */
export function refusalOf(evidence: Evidence, step: StepName): Recorded {
  const last = evidence.last(step)
  const [first = last] = evidence.all(step).filter(({ status }) => status !== 429)
  if (first.status < 500) return first
  if (last.status >= 500 || succeeded(last)) return last
  const why = `it fails with ${first.status} at one time and answers ${last.status} at another`
  throw new Undecided(pathOf(first.request), 'tells nothing', why)
}

/** Returns an answer that tells whether something was taken. Throws `Undecided` if the server failed (5xx), which tells nothing. */
export function requireConclusive<Answer extends Exchange>(answer: Answer): Answer {
  if (answer.status < 500) return answer
  const why = `it fails with ${answer.status}, although other requests of its kind are answered`
  throw new Undecided(pathOf(answer.request), 'tells nothing', why)
}

/** Whether a size that is shown is that of other bytes than so many. The unit of sizes is not shown; it may be a larger one. */
export function isOtherSize(shown: unknown, bytes: number): boolean {
  const size = Number(shown)
  const units = [1000, 1024, 1000 ** 2, 1024 ** 2]
  return Number.isFinite(size) && size !== bytes && units.every((unit) => Math.abs(size - bytes / unit) > 1)
}

/**
 * Returns a size in an answer that is not the file's: it stands beside what names the file, and no such size is the file's.
 * Any other may be that of a page, or a limit.
 */
export function otherSizeIn(json: unknown, bytes: number, marks: readonly string[]): Located | undefined {
  const isRight = ({ name, value }: Located) => isNamed(name, 'size') && !isOtherSize(value, bytes)
  return membersOf(json).some(isRight) ? undefined : fileSizes(json, marks)[0]
}

/** The finding of such a size. */
export function sizeFinding(answer: string, { pointer: place, value }: Located): Finding {
  const rule = 'is called a size and stands beside what names the file'
  return { what: `${answer}.file_size`, answer, value, place, rule, strength: 'named', rejected: [] }
}

/** Returns what a step comes to for documents 1 and 2; if it does not for the second, another check says why. */
export function ofBoth<T>(look: (which: 1 | 2) => T): T[] {
  const first = look(1)
  const second = ifCameAbout(() => look(2))
  return second === undefined ? [first] : [first, second]
}

/** Whether a text is a UUID, in any case (RFC 9562 section 4). */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)
}

/** Said if an execution does not show. */
export const notStarted =
  'The execution was accepted, but the details neither count nor list it; where they do so later, set settleSeconds'
