/** The needs of a front end in words, for all reports. */
import type { Need, NeedsReport } from './needs.ts'

/** Needs that share a verdict and its reason, such as all places below a member that is missing. */
export interface NeedRow extends Pick<Need, 'verdict' | 'message' | 'exchanges'> {
  /** The call, the status and the first place. */
  readonly name: string
  /** The number of further places. */
  readonly more: number
  readonly tests: readonly string[]
  /** The places where the suite found their values instead. */
  readonly elsewhere: readonly string[]
}

/** Returns the needs that are not met, those that are missing first. */
export function openNeeds({ needs }: NeedsReport): NeedRow[] {
  const groups = new Map<string, Need[]>()
  for (const need of needs) {
    if (need.verdict === 'given') continue
    const key = [need.verdict, need.operation, need.status, need.message].join(' ')
    groups.set(key, [...(groups.get(key) ?? []), need])
  }
  const rows = [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const { verdict, message, exchanges } = first
    const tests = [...new Set(group.flatMap((need) => need.tests))]
    const elsewhere = group.flatMap((need) => need.elsewhere ?? [])
    return [{ verdict, message, exchanges, name: nameOfPlace(first), more: group.length - 1, tests, elsewhere }]
  })
  return rows.toSorted((a, b) => Number(a.verdict !== 'missing') - Number(b.verdict !== 'missing'))
}

/** Returns the name of a place: `getWorkflow 200 /name`. */
export function nameOfPlace({ operation, status, place }: Pick<Need, 'operation' | 'status' | 'place'>): string {
  return `${operation} ${status} ${place || '(the whole body)'}`
}

/** The most tests that a line names. */
const mostTests = 2

/** Lists the first texts, and says how many are left: `a, b, and 3 more`. */
export function firstOf(texts: readonly string[], most = mostTests): string {
  const left = texts.length - most
  return [...texts.slice(0, most), ...(left > 0 ? [`and ${left} more`] : [])].join(', ')
}

const countPlaces = (number: number) => `${number} ${number === 1 ? 'place' : 'places'}`

/** Formats needs that are not met in one line. */
export function needText({ name, more, message, tests, elsewhere }: NeedRow): string {
  const others = more > 0 ? ` and ${countPlaces(more)} more` : ''
  const readers = tests.length > 0 ? ` Read by ${firstOf(tests)}.` : ''
  const found = elsewhere.length > 0 ? ` The suite found ${firstOf(elsewhere, 3)}.` : ''
  return `${name}${others}: ${message}${found}${readers}`
}

/** Counts the places by verdict. */
export function countNeeds({ needs }: NeedsReport): string {
  const of = (verdict: Need['verdict']) => needs.filter((need) => need.verdict === verdict).length
  return `${of('given')} given, ${of('missing')} missing, ${of('undecided')} undecided`
}

/** Says what the verdict on the needs means, in one sentence. */
export function meaningOfNeeds({ verdict, needs }: NeedsReport): string {
  const missing = needs.filter((need) => need.verdict === 'missing').length
  switch (verdict) {
    case 'unmet':
      return `The run fails, because the front end reads ${countPlaces(missing)} that this deployment does not give. That is a need of the front end, and no fault against the document.`
    case 'undecided':
      return needs.length === 0
        ? 'The files have no place that a front end reads. Record them again.'
        : 'No answer could show what the front end reads.'
    case 'met':
      return 'The deployment gives what the front end reads, as far as answers show it.'
    default:
      return verdict satisfies never
  }
}
