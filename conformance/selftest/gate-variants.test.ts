import { expect, test } from 'vitest'
import { Random } from '../../src/index.ts'
import { coveringChoices, drawChoice } from './covering.ts'
import { degenerates } from './degenerate.ts'
import { judgeVariant } from './gate.ts'
import { reference } from './reference.ts'
import { documentedAmong, documentedOn, judgedAgain, judgementOf, runOn } from './run-on.ts'
import { choiceText, singleChoices, variant } from './variants/index.ts'

/** The nightly run draws this many mixes of variants more. */
const mixes = process.env.SELFTEST_DEEP ? 3000 : 0
const random = new Random('mixes')
const drawn = Array.from({ length: mixes }, () => drawChoice(random))

const titled = (choices: typeof singleChoices) => choices.map((choice) => ({ choice, title: choiceText(choice) }))

test.each([...titled(singleChoices), ...titled(coveringChoices()), ...titled(drawn)])(
  'no alarm, and nearly every check decides, on $title',
  async ({ choice }) => {
    const run = await runOn(variant(choice)(reference()))
    expect(judgementOf(judgedAgain(run))).toEqual(judgementOf(run))
    const { alarms, deciding } = judgeVariant(choice, documentedAmong(run.checks))
    expect(alarms).toEqual([])
    expect(deciding).toBeGreaterThanOrEqual(0.95)
  },
)

/** A thousand runs take some minutes. */
const manyRuns = { timeout: 30 * 60_000 }

test('the verdicts on the reference are the same however often they are asked for', manyRuns, async () => {
  const verdicts = new Set<string>()
  for (let time = 0; time < (process.env.SELFTEST_DEEP ? 1000 : 10); time += 1) {
    verdicts.add((await documentedOn(reference())).map(({ verdict }) => verdict).join())
  }
  expect(verdicts.size).toBe(1)
})

test.each(degenerates)('the server $id is never green', async ({ create }) => {
  const verdict = await runOn(create()).then(
    (result) => result.verdict,
    () => 'could-not-run',
  )
  expect(verdict).not.toBe('conforming')
})
