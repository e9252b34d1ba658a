/** What values have in common, whatever they are: the range of a figure, and the form of identifiers. */
import { numberOf } from '../reading/places.ts'
import { readTime } from '../reading/times.ts'
import { mentionsRole, termsOf } from '../reading/vocabulary.ts'

/** The ends of places that stand for what all their values have in common. */
export const [rangeOf, formEnd, prefixEnd] = [' (range)', ' (form)', ' (prefix)']

/**
 * Returns the range of a figure: its sign, and for a rate, whether it can be a share or a percentage. Pace and chance change values, but
 * no sound figure leaves its range. Returns undefined for what is no figure, and for a rate of 0, which is in both ranges.
 */
export function rangeIn(pointer: string, value: unknown): string | undefined {
  const figure = numberOf(value)
  if (figure === undefined) return undefined
  if (figure < 0) return 'below 0'
  if (!mentionsRole(pointer.split('/').flatMap(termsOf).slice(-3), 'rate')) return 'at least 0'
  if (figure === 0) return undefined
  return figure <= 1 ? 'between 0 and 1' : figure <= 100 ? 'between 1 and 100' : 'above 100'
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Returns what all identifiers or paths that one service makes have in common, by the end of the place that stands for it. Other texts,
 * times and durations have none.
 */
export function formOf(text: string): Readonly<Record<string, string>> {
  if (/[\s@]|:\/\//.test(text) || readTime(text)) return {}
  const slash = text.indexOf('/')
  if (slash >= 0) return { [prefixEnd]: `a path in ${text.slice(0, slash + 1)}` }
  if (uuid.test(text)) return { [formEnd]: 'a UUID' }
  if (/^\d+$/.test(text)) return { [formEnd]: 'digits' }
  if (numberOf(text) !== undefined) return {}
  // Rounded up to a power of two, few counters differ in their length.
  const length = 2 ** Math.ceil(Math.log2(text.length))
  const prefix = /^[a-z]+[_-]/i.exec(text)?.[0]
  return {
    [formEnd]: `a text of up to ${length} characters`,
    [prefixEnd]: prefix === undefined ? 'a text without a prefix' : `a text that begins with ${prefix}`,
  }
}

/** The texts that an answer shows at its places. */
export class PlaceTexts {
  readonly #found = new Map<string, string[]>()

  /** Adds a text; `once` if it stands for all values at the place, however many are alike. */
  add(place: string, text: string, { once = false } = {}): void {
    const texts = this.#found.get(place) ?? []
    if (!once || !texts.includes(text)) this.#found.set(place, [...texts, text])
  }

  /** Returns the texts of each place as one. */
  joined(): ReadonlyMap<string, string> {
    return new Map([...this.#found].map(([place, texts]) => [place, texts.join(', ')]))
  }
}
