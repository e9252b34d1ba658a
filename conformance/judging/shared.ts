import type { RequirementId } from '../catalogue/catalogue.ts'
import type { Document } from '../flow/document.ts'
import type { Flow } from '../flow/flow.ts'
import { at, bare, type Located, membersOf } from '../reading/locate.ts'
import { cut } from '../report/inert.ts'
import { type Exchange, label, pathOf, succeeded, succeededLike, Undecided } from '../wire/exchange.ts'
import { type Check, fail, type Observation, pass } from './check.ts'

/** Passes where a step of the flow came about; where it did not, the step itself says whose fault that is. */
export function comesAbout(id: RequirementId, step: (flow: Flow) => Promise<Exchange>): Check {
  return { id, run: async (flow) => pass(`${label(await step(flow))}.`) }
}

/** Passes where the call was refused, whatever the refusal looks like; the control is the answer to a sound one. */
export function mustBeRefused(exchange: Exchange, control: Exchange, what: string): Observation {
  return succeededLike(exchange, control)
    ? fail(`${label(exchange)} to ${what}.`)
    : pass(`${label(exchange)} to ${what}.`)
}

/**
 * Sends what ought to be refused. A server that fails at it (5xx) has refused it only if it always does, so it is asked again.
 * Throws `Undecided` where it then refuses it otherwise.
 */
export async function refusalOf(send: () => Promise<Exchange>, sendAgain = send): Promise<Exchange> {
  const first = await send()
  if (first.status < 500) return first
  const again = await sendAgain()
  if (again.status >= 500 || succeeded(again)) return again
  const why = `it fails with ${first.status} at one time and answers ${again.status} at another`
  throw new Undecided(pathOf(first.request), 'tells nothing', why)
}

/** An answer that tells whether something was taken. Throws `Undecided` where the server failed (5xx), which tells nothing. */
export function telling(answer: Exchange): Exchange {
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
 * A size in an answer that is not the file's: none that is called so is, and this one stands beside what names the file. Any
 * other may be that of a page, or a limit.
 */
export function otherSizeIn(json: unknown, names: readonly string[], bytes: number, marks: readonly string[]): unknown {
  const sizes = membersOf(json).filter(({ name }) => names.includes(bare(name)))
  if (sizes.some(({ value }) => !isOtherSize(value, bytes))) return undefined
  const isOfFile = ({ pointer }: Located) =>
    Object.values(at(json, pointer.slice(0, pointer.lastIndexOf('/'))) ?? {}).some((value) =>
      marks.includes(String(value)),
    )
  return sizes.find(isOfFile)?.value
}

/** What a step comes to for documents 1 and 2; where it does not for the second, another check says why. */
export async function ofBoth<T>(flow: Flow, step: (document: Document) => Promise<T>): Promise<T[]> {
  const first = await step(flow.document(1))
  const second = await step(flow.document(2)).catch(() => undefined)
  return second === undefined ? [first] : [first, second]
}

/** Whether a text is a UUID, in any case (RFC 9562 section 4). */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)
}

/** What is said where an execution does not show. */
export const notStarted =
  'The execution was accepted, but the details neither count nor list it; where they do so later, set settleSeconds'

/** A value for a reader. */
export function show(value: unknown): string {
  return cut(JSON.stringify(value) ?? 'nothing', 200)
}
