/** Compares the name of a member of an answer with that of a fact. */
import { normalizeName, wordsOf } from '../reading/names.ts'

/** Words that say nothing about what a value is. */
const empty = new Set(['is', 'the', 'of', 'a', 'value', 'data', 'at', 'on', 'in'])

/** Words for the same thing, the contract's first. */
const synonyms: Readonly<Record<string, string>> = {
  executions: 'total',
  started: 'total',
  runs: 'total',
  count: 'total',
  active: 'running',
  open: 'running',
  pending: 'running',
  flight: 'running',
  completed: 'approved',
  succeeded: 'approved',
  finished: 'approved',
  failed: 'rejected',
  avg: 'mean',
  average: 'mean',
  duration: 'time',
  started_at: 'started',
  state: 'status',
  mode: 'mode',
  size: 'size',
  bytes: 'size',
  length: 'size',
  title: 'name',
  label: 'name',
  mail: 'email',
  position: 'order',
  sequence: 'order',
  index: 'order',
  recommendation: 'recommendations',
  suggestions: 'recommendations',
  advice: 'recommendations',
  handled: 'assigned',
  created: 'created',
  updated: 'created',
}

const word = (text: string) => {
  const singular = text.length > 3 && text.endsWith('s') && !text.endsWith('ss') ? text.slice(0, -1) : text
  return synonyms[text] ?? synonyms[singular] ?? singular
}

const meaningOf = (name: string) =>
  new Set(
    wordsOf(name)
      .filter((one) => !empty.has(one))
      .map(word),
  )

/**
 * Returns how alike two names are: 3 if they are the same in any spelling, 2 if one has all words of the other, 1 if they
 * share a word, 0 if they share none.
 */
export function likeness(shown: string, fact: string): 0 | 1 | 2 | 3 {
  if (normalizeName(shown) === normalizeName(fact)) return 3
  const [one, other] = [meaningOf(shown), meaningOf(fact)]
  if (one.size === 0 || other.size === 0) return 0
  const shared = [...one].filter((each) => other.has(each)).length
  if (shared === 0) return 0
  return shared === Math.min(one.size, other.size) ? 2 : 1
}
