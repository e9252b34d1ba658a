/** Learns each variant of the selftest, and demands that the mock then answers like it. */
import { expect, test } from 'vitest'
import { coveringChoices } from '../../../conformance/selftest/covering.ts'
import { learnSubject, subject, subjectLike } from '../../../conformance/selftest/learned.ts'
import { choiceText, singleChoices, variant } from '../../../conformance/selftest/variants/index.ts'
import type { Profile } from '../../../src/profile/profile.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { cases, isDeep, sampled } from '../../support/sample.ts'
import { likeXml, listsOfPairs, ownEnvelopes } from '../learning/odd-deployments.ts'

const short = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text)

/** Learning takes long, so the whole gate has the part of a day, a sample has one of each, and only the deep one has all. */
const day = isDeep ? 'deep' : new Date().toISOString()
const [mostSingles, mostMixes] = [cases(1000, 1), cases(1000, 1)]

const singles = sampled(singleChoices, day)
  .slice(0, mostSingles)
  .map((choice) => [short(choiceText(choice)), choice] as const)

test.each(nonEmpty(singles))('the mock answers like %s, and teaches the same', async (_, choice) => {
  const { profile, likeness } = await learnSubject(subject(variant(choice)))
  const { agreeing, places, differences } = likeness
  expect(agreeing / places, JSON.stringify(differences.slice(0, 10))).toBeGreaterThanOrEqual(0.98)
  const again = await learnSubject(subjectLike(profile))
  expect(lasting(again.profile)).toEqual(lasting(profile))
})

const thirds = coveringChoices().filter((_, index) => index % 3 === 0)
const mixes = sampled(thirds, day)
  .slice(0, mostMixes)
  .map((choice) => [short(choiceText(choice)), choice] as const)

test.each(nonEmpty(mixes))('the mock answers like the mix %s', async (_, choice) => {
  const { agreeing, places, differences } = (await learnSubject(subject(variant(choice)))).likeness
  expect(agreeing / places, JSON.stringify([choice, differences.slice(0, 10)])).toBeGreaterThanOrEqual(0.95)
})

test.each([
  ['lists of pairs', listsOfPairs, 'manual'],
  ['names from XML, and identifiers within links', likeXml, 'manual'],
  ['envelopes of each call, and executions that end', ownEnvelopes, 'instant'],
] as const)('the mock answers like %s', async (_, wrapper, approvers) => {
  const { likeness } = await learnSubject(subject((create) => wrapper(create()), { approvers }))
  const { agreeing, places, differences } = likeness
  expect(agreeing / places, JSON.stringify(differences.slice(0, 10))).toBeGreaterThanOrEqual(0.95)
})

/**
 * A profile without what cannot be the same twice: the time, the upload URL, which carries the mock's own signature, the number
 * that a counter starts with, and the guess for refusals that were never seen.
 */
function lasting({ learned: _time, uploadUrl: _address, ...profile }: Profile): unknown {
  return JSON.parse(JSON.stringify(profile), (_, value) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).filter(([member]) => !isMomentary(member, value)))
      : value,
  )
}

const isMomentary = (member: string, value: object) =>
  (member === 'from' && '$new' in value) || (member === 'else' && '$case' in value)
