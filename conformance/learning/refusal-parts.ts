import { caseOf, type Json } from '../../src/profile/template.ts'
import { isKeyword } from './item-kinds.ts'
import { type AnswerSample, factValues } from './sample.ts'

/** Returns true if all samples are refusals. */
const areRefusals = (samples: readonly AnswerSample[]) => samples.every(({ facts }) => facts.problem !== undefined)

/** Returns true if the samples are items of lists of errors. */
const areErrors = (samples: readonly AnswerSample[]) =>
  samples.every(({ items }) => Object.hasOwn((items.at(-1) ?? {}) as object, 'rule'))

/** The facts that say what a refusal is about, the most important first. */
const subjects = ['code', 'rule', 'got', 'field', 'operation', 'about']

/** Those of a single error. */
const ofErrors = ['rule', 'got', 'field']

/** The most cases of a fact. */
const mostCases = 40

/** A fact that divides samples. */
interface Division {
  readonly pointer: string
  readonly parts: ReadonlyMap<string, readonly AnswerSample[]>
  readonly cost: number
}

/**
 * Divides refusals by what they are about until each part has one class. `leaf` makes the template of all samples of a class;
 * undefined leaves the member out. Returns undefined if no fact helps.
 */
export function divided(
  samples: readonly AnswerSample[],
  classify: (sample: AnswerSample) => string,
  leaf: (part: readonly AnswerSample[]) => Json | undefined,
): Json | undefined {
  const ofClass = new Map<string, Json | undefined>()
  const leafOf = (part: readonly AnswerSample[]) => {
    const [name = '', ...others] = new Set(part.map(classify))
    if (others.length > 0) return leaf(part)
    if (!ofClass.has(name)) ofClass.set(name, leaf(samples.filter((sample) => classify(sample) === name)))
    return ofClass.get(name)
  }
  const divide = (all: readonly AnswerSample[]): Json | undefined => {
    const best = divisionOf(all, classify)
    if (!best) return undefined
    const made = [...best.parts].map(([key, part]) => {
      const template = divide(part) ?? leafOf(part)
      return { key, count: part.length, template, text: JSON.stringify(template) }
    })
    const usual = usualOf(made)
    const omitted: Json = { $case: best.pointer, values: {} }
    const values = made
      .filter(({ text }) => text !== usual?.text)
      .map(({ key, template = omitted }) => [key, template] as const)
    const otherwise = usual?.template === undefined ? {} : { else: usual.template }
    return { $case: best.pointer, values: Object.fromEntries(values), ...otherwise }
  }
  return divide(samples)
}

/** A case with its template. */
interface Case {
  readonly count: number
  readonly template: Json | undefined
  readonly text: string | undefined
}

/** Returns the case whose template most cases have, and of those the one with most samples: it says least about what was wrong. */
function usualOf(made: readonly Case[]): Case | undefined {
  const weightOf = ({ text }: Case) => {
    const alike = made.filter((other) => other.text === text)
    return alike.length * 1000 + alike.reduce((sum, { count }) => sum + count, 0)
  }
  return made.toSorted((a, b) => weightOf(b) - weightOf(a))[0]
}

function divisionOf(
  samples: readonly AnswerSample[],
  classify: (sample: AnswerSample) => string,
): Division | undefined {
  if (!areRefusals(samples)) return undefined
  const classes = samples.map(classify)
  const all = new Set(classes).size
  // What differs from answer to answer follows nothing.
  if (all < 2 || (samples.length >= 8 && all > 0.8 * samples.length)) return undefined
  // Of several errors, each has its own.
  const error = areErrors(samples) ? '0' : '/problem/errors/0'
  const pointers = subjects.map((name) => (ofErrors.includes(name) ? `${error}/${name}` : `/problem/${name}`))
  const divisions = pointers.flatMap((pointer, rank): Division[] => {
    const keys = factValues(samples, pointer).map(caseOf)
    const parts = new Map<string, AnswerSample[]>()
    for (const [index, key] of keys.entries()) {
      const sample = samples[index]
      if (sample) parts.set(key, [...(parts.get(key) ?? []), sample])
    }
    if (parts.size < 2 || parts.size > mostCases || !keys.every(isKeyword)) return []
    const left = [...parts.values()].reduce((sum, part) => sum + unlikeMost(part, classify), 0)
    if (left >= unlikeMost(samples, classify)) return []
    return [{ pointer, parts, cost: 3 * left + parts.size + rank / 10 }]
  })
  return divisions.toSorted((a, b) => a.cost - b.cost)[0]
}

/** Returns how many samples are not of the class that most have. */
function unlikeMost(samples: readonly AnswerSample[], classify: (sample: AnswerSample) => string): number {
  const counts = new Map<string, number>()
  for (const sample of samples) counts.set(classify(sample), (counts.get(classify(sample)) ?? 0) + 1)
  return samples.length - Math.max(...counts.values())
}
