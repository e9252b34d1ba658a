/** The numbers and durations of an answer, each with the words of its name. */
import { membersOf, oncePerAnswer, valueAt } from './locate.ts'
import { figureOf, numberOf, secondsIn } from './places.ts'
import { isNamed, type Term, termsOf } from './vocabulary.ts'

/** A number or a duration. Within `{ value: 3, unit: 's' }`, its name and its holder are those of the object. */
export interface Figure {
  readonly pointer: string
  /** The pointer to the object that it is a member of. */
  readonly holder: string
  readonly name: string
  readonly terms: readonly Term[]
  readonly value: number
  /** What else a wrapper says, such as a unit. Figures can be compared only if it is the same. */
  readonly unit: string
}

/** Returns the figures of an answer, or of a part of it. -1 is none, since it may be a placeholder. */
export const figuresIn = oncePerAnswer((json): readonly Figure[] =>
  membersOf(json).flatMap(({ pointer, value }) => {
    const number = figureOf('completion_time', value)
    if (number === undefined || number === -1) return []
    const path = pointer.split('/')
    const wrapped = isNamed(path.at(-1) ?? '', 'envelope') && path.length > 2 ? 1 : 0
    const own = path.slice(0, path.length - wrapped)
    const name = own.at(-1) ?? ''
    const holder = own.slice(0, -1).join('/')
    const beside = wrapped ? valueAt(json, own.join('/')) : undefined
    return [{ pointer, holder, name, terms: termsOf(name), value: number, unit: unitOf(value, beside) }]
  }),
)

/** Returns what tells the unit of a value: the text around its digits, and the other members of its wrapper. */
function unitOf(value: unknown, wrapper: unknown): string {
  const isClock =
    typeof value === 'string' && !isPlainNumber(value) && (numberOf(value) ?? secondsIn(value)) !== undefined
  const around = typeof value === 'string' ? value.replaceAll(/[\d.,:-]/g, '').trim() : ''
  const others = Object.entries(wrapper ?? {}).filter(([name, one]) => one !== value && !isNamed(name, 'label'))
  return JSON.stringify([isClock ? 'clock' : around, others])
}

const isPlainNumber = (text: string) => /^-?\d+(\.\d+)?$/.test(text)
