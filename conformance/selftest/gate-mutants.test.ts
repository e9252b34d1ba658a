import { expect, test } from 'vitest'
import { checks } from '../judging/checks.ts'
import { isNoticed, judgeMutant, redOf } from './gate.ts'
import recorded from './kills.gen.json' with { type: 'json' }
import { mutants } from './mutants/index.ts'
import { reference } from './reference.ts'
import { documented, documentedAmong, documentedOn, judgedAgain, judgementOf, runOn } from './run-on.ts'
import { choiceText, singleChoices, variant } from './variants/index.ts'

const kills: Readonly<Record<string, readonly string[]>> = recorded
const sound = await documentedOn(reference())

test('every documented check passes on the reference, and every one that the catalogue lists has run', () => {
  expect(sound.filter(({ verdict }) => verdict !== 'pass')).toEqual([])
  expect(sound.map(({ id }) => id).sort()).toEqual([...documented].sort())
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length)
})

test('every documented check is the killer of a mutant', () => {
  const killed = new Set(mutants.flatMap(({ kills }) => kills))
  expect(documented.filter((id) => !killed.has(id))).toEqual([])
})

test.each(mutants)('$id: $breaks', async (mutant) => {
  const run = await runOn(mutant.create()(reference()))
  const { checks: results } = run
  expect(judgementOf(judgedAgain(run))).toEqual(judgementOf(run))
  const { survives, accused, disturbed } = judgeMutant(mutant, documentedAmong(results), sound)
  expect({ survives, accused, disturbed }).toEqual({ survives: [], accused: [], disturbed: [] })
  expect(redOf(results), "kills.gen.json is stale; run 'npm run mutants'").toEqual(kills[mutant.id])
})

const broken = mutants.filter(({ kills }) => kills.length > 0)

/** Variants that hide what is broken, or make it look like something that a client cannot tell from a wrong key or name. */
const hidden: readonly [variant: RegExp, mutant: RegExp][] = [
  [/^check-order=/, /^(open-|only-x-api-key$)/],
  [/^document-id=any-string$/, /^open-executeWorkflow$/],
  [/^field-case=snake$/, /-called-camel$/],
  [/^name-units=utf16$/, /^name-(limit|cut)-/],
  [/^error-status=unknown-403$/, /^lives-under-/],
  [/^(document-id=|envelope=json-api$)/, /^(missing|slash|key-refused-by)-executeWorkflow$|^document-unknown$/],
  [/^(document-id=|envelope=json-api$|timing=execution-queued$)/, /^shown-/],
  [/^storage-key=url-only$/, /^confirm-shows-key-otherwise$/],
  [/^(document-id=|workflow-id=location-only$)/, /^page-for-/],
  [/^put-body=/, /^put-body-/],
  [/^(storage-url|key-middle)=/, /^put-at-service-path$/],
]

/** How many variants each mutant meets here; the nightly run has all of them meet. */
const variantsEach = process.env.SELFTEST_DEEP ? singleChoices.length : 3

const mixed = broken.flatMap((mutant, index) =>
  Array.from({ length: variantsEach }, (_, turn) => singleChoices[(index * 7 + turn * 13) % singleChoices.length] ?? {})
    .map((choice) => ({ mutant, choice, id: mutant.id, under: choiceText(choice) }))
    .filter(({ id, under }) => !hidden.some(([variant, hides]) => variant.test(under) && hides.test(id)))
    .filter(({ choice }) => mutant.appliesTo(choice)),
)

test.each(mixed)('$id is noticed under $under', async ({ mutant, choice }) => {
  const fetch = () => variant(choice)(mutant.create()(reference()))
  const selects = (id: string) => [...mutant.kills, ...mutant.mayKill].some((killed) => killed === id)
  const named = await documentedOn(fetch(), { selects })
  // Where the blame shifts under a variant, another check has to notice.
  expect(isNoticed(named) || isNoticed(await documentedOn(fetch()))).toBe(true)
})
