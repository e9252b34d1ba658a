/**
 * Prints how far the mock answers like each variant of the selftest after learning it.
 *
 *     npx tsx scripts/likeness.ts [all|single|mixes|axis=value,axis=value…] [--differences] [--guesses]
 */
import { coveringChoices } from '../conformance/selftest/covering.ts'
import { learnSubject, subject } from '../conformance/selftest/learned.ts'
import type { Choice } from '../conformance/selftest/mutant.ts'
import { axes, choiceText, singleChoices, variant } from '../conformance/selftest/variants/index.ts'

const [which = 'single', ...flags] = process.argv.slice(2)

function choicesFor(text: string): readonly Choice[] {
  if (text === 'single') return [{}, ...singleChoices]
  if (text === 'mixes') return coveringChoices()
  if (text === 'all') return [{}, ...singleChoices, ...coveringChoices()]
  const axis = axes.find((one) => one.axis === text)
  if (axis) return Object.keys(axis.values).map((value) => ({ [axis.axis]: value }))
  return [Object.fromEntries(text.split(',').map((pair) => pair.split('=')))]
}

const print = (...words: readonly string[]) => process.stdout.write(`${words.join(' ')}\n`)
const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 140)
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const measured: { choice: Choice; share: number }[] = []

for (const choice of choicesFor(which)) {
  const { likeness, guesses } = await learnSubject(subject(variant(choice)))
  const share = likeness.agreeing / likeness.places
  measured.push({ choice, share })
  print(
    share.toFixed(3),
    `${likeness.agreeing} of ${likeness.places}`,
    `${guesses.length} guesses`,
    choiceText(choice) || 'reference',
  )
  if (flags.includes('--differences')) {
    for (const { call, pointer, one, other } of likeness.differences)
      print('   ', call, pointer, shown(one) ?? 'absent', '|', shown(other) ?? 'absent')
  }
  if (flags.includes('--guesses')) print(JSON.stringify(guesses))
}

const singles = measured.filter(({ choice }) => Object.keys(choice).length === 1)
for (const { axis } of axes) {
  const shares = singles.filter(({ choice }) => axis in choice).map(({ share }) => share)
  if (shares.length > 0) print(axis.padEnd(20), mean(shares).toFixed(3), Math.min(...shares).toFixed(3))
}
const shares = measured.map(({ share }) => share)
print('mean', mean(shares).toFixed(4), 'least', Math.min(...shares).toFixed(4), 'of', String(shares.length))
