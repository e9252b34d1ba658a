import { expect, test } from 'vitest'
import { coveringChoices, drawChoice } from '../../../conformance/selftest/covering.ts'
import { degenerates } from '../../../conformance/selftest/degenerate.ts'
import { judgeVariant } from '../../../conformance/selftest/gate.ts'
import { reference } from '../../../conformance/selftest/reference.ts'
import { documentedAmong, documentedOn, judgeAgain, judgementOf, runOn } from '../../../conformance/selftest/run-on.ts'
import { axes, choiceText, variant } from '../../../conformance/selftest/variants/index.ts'
import { Random } from '../../../src/index.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { isDeep, rotated, sampled } from '../../support/sample.ts'

/** CI has a quarter of the values of each axis, with each commit another one, and a sample of the combinations. The weekly run has all, and adds random ones. */
const singleChoices = axes.flatMap(({ axis, values }) =>
  rotated(Object.keys(values)).map((value) => ({ [axis]: value })),
)
const mixes = sampled(coveringChoices())
const random = new Random('mixes')
const drawn = Array.from({ length: isDeep ? 3000 : 0 }, () => drawChoice(random))
const choices = [...singleChoices, ...mixes, ...drawn]
const judgedAgain = sampled(singleChoices, 4)

/** A covering choice has a value for nearly every axis, which is too long for a title. */
const titled = choices.map((choice) => {
  const text = choiceText(choice)
  return [text.length > 60 ? `${text.slice(0, 60)}…` : text, choice] as const
})

test.each(nonEmpty(titled))('no alarm on %s', async (_, choice) => {
  const text = choiceText(choice)
  const run = await runOn(variant(choice)(reference))
  // What a report holds depends on the choices, and hardly on their combinations.
  if (judgedAgain.includes(choice)) expect(judgementOf(judgeAgain(run))).toEqual(judgementOf(run))
  const { alarms, deciding } = judgeVariant(choice, documentedAmong(run.checks))
  expect(alarms, text).toEqual([])
  expect(deciding, text).toBeGreaterThanOrEqual(0.95)
})

/** A thousand runs take some minutes. */
const manyRuns = { timeout: 30 * 60_000 }

test('the verdicts on the reference are the same in every run', manyRuns, async () => {
  const verdicts = new Set<string>()
  for (let time = 0; time < (isDeep ? 1000 : 10); time += 1) {
    verdicts.add((await documentedOn(reference())).map(({ verdict }) => verdict).join())
  }
  expect(verdicts.size).toBe(1)
})

test.each(nonEmpty(degenerates.map(({ id, create }) => [id, create] as const)))(
  'the server %s is never green',
  async (_, create) => {
    // Some of them never answer, so the run throws. That is not green either.
    const verdict = await runOn(create(), { timeoutMs: 300 }).then(
      (result) => result.verdict,
      () => 'could-not-run',
    )
    expect(verdict).not.toBe('conforming')
  },
)
