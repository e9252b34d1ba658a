import { describe, expect, test } from 'vitest'
import { isNoticed } from '../../../conformance/selftest/gate.ts'
import type { Choice, Mutant } from '../../../conformance/selftest/mutant.ts'
import { mutants } from '../../../conformance/selftest/mutants/index.ts'
import { reference } from '../../../conformance/selftest/reference.ts'
import { documentedOn } from '../../../conformance/selftest/run-on.ts'
import { choiceText, singleChoices, variant } from '../../../conformance/selftest/variants/index.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { isDeep, sampled, sliced } from '../../support/sample.ts'
import { hiddenPairs } from './hidden.ts'

interface Pair {
  readonly mutant: Mutant
  readonly choice: Choice
}

const isHidden = ({ mutant, choice }: Pair) =>
  hiddenPairs.some((pair) => pair.mutant === mutant.id && pair.choice === choiceText(choice))

const broken = mutants.filter(({ kills }) => kills.length > 0)

/** Mutants that break a documented fact, each with one variant, of which CI has a sample. The weekly run has all variants. */
const pairs = broken.flatMap((mutant, index) => {
  const turns = isDeep ? singleChoices.map((_, turn) => turn) : [0, 1, 2]
  const shown = turns
    .map((turn): Pair => ({ mutant, choice: singleChoices[(index * 7 + turn * 13) % singleChoices.length] ?? {} }))
    .filter((pair) => mutant.appliesTo(pair.choice) && !isHidden(pair))
  return isDeep ? shown : shown.slice(0, 1)
})

/** Pairs that the choice above leaves out, and that were once not noticed. */
const onceMissed = [
  ['confirm-needs-second-call', 'error-status', 'invalid-413'],
  ['reads-latest', 'echo', 'none'],
  ['open-executeWorkflow', 'timing', 'documents-late'],
  ['one-execution-id', 'envelope', 'json-api'],
  ['name-shown-otherwise', 'field-case', 'kebab'],
  ['bytes-damaged-by-etag', 'storage-key', 'url-only'],
  ['bytes-damaged-by-etag', 'document-id', 'upload-answer'],
] as const
const missed = onceMissed.flatMap(([id, axis, value]): Pair[] =>
  broken.filter((mutant) => mutant.id === id).map((mutant) => ({ mutant, choice: { [axis]: value } })),
)
const chosen = isDeep ? pairs : [...sampled(pairs), ...missed]

const serverOf = ({ mutant, choice }: Pair) => variant(choice)((like) => mutant.wrapper(reference(like)))

describe.each(nonEmpty(sliced(chosen).map((pair) => [pair.mutant.id, pair] as const)))('%s', (_, pair) => {
  test(`shows under ${choiceText(pair.choice)}`, async () => {
    const { kills, mayKill } = pair.mutant
    const selects = (id: string) => [...kills, ...mayKill].some((killed) => killed === id)
    const results = await documentedOn(serverOf(pair), { selects })
    // Under a variant, another check may notice the fault instead.
    expect(isNoticed(results) || isNoticed(await documentedOn(serverOf(pair)))).toBe(true)
  })
})

const hidden = sampled(hiddenPairs)

describe.each(nonEmpty(hidden.map((pair) => [pair.mutant, pair] as const)))('%s', (id, { choice: text }) => {
  test(`is still hidden by ${text}`, async () => {
    const mutant = broken.find((one) => one.id === id)
    const choice = singleChoices.find((one) => choiceText(one) === text)
    if (!mutant || !choice) throw new Error(`There is no mutant '${id}' or no variant '${text}'. Correct hidden.ts.`)
    expect(mutant.appliesTo(choice), 'The mutant never meets it. Remove the pair from hidden.ts.').toBe(true)
    const results = await documentedOn(serverOf({ mutant, choice }))
    expect(isNoticed(results), 'It is noticed by now. Remove the pair from hidden.ts.').toBe(false)
  })
})
