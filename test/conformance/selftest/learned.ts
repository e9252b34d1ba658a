/** Tests that learn variants of the selftest. */
import { expect, test } from 'vitest'
import { type LearnedSubject, learnSubject, subject, subjectLike } from '../../../conformance/selftest/learned.ts'
import type { Choice } from '../../../conformance/selftest/mutant.ts'
import { choiceText, variant } from '../../../conformance/selftest/variants/index.ts'
import type { Profile } from '../../../src/profile/profile.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { likeXml, listsOfPairs, namedMembers, ownEnvelopes } from '../learning/odd-deployments.ts'

/** Makes rows of choices whose titles are short. */
function titled(choices: readonly Choice[]) {
  return choices.map((choice) => {
    const text = choiceText(choice)
    return [text.length > 40 ? `${text.slice(0, 40)}…` : text, choice] as const
  })
}

/** Tests that the mock answers like servers that make one choice differently, and then teaches the same. */
export function testSingles(choices: readonly Choice[]): void {
  test.each(nonEmpty(titled(choices)))('the mock answers like %s, and teaches the same', async (_, choice) => {
    const learned = await learnSubject(subject(variant(choice)))
    const { profile, likeness } = learned
    const { agreeing, places, differences } = likeness
    expect(agreeing / places, JSON.stringify(differences.slice(0, 10))).toBeGreaterThanOrEqual(0.98)
    expect(ofItsSession(learned)).toEqual([])
    const again = await learnSubject(subjectLike(profile))
    expect(lasting(again.profile)).toEqual(lasting(profile))
  })
}

/** Tests that the mock answers like servers that make many choices differently. */
export function testMixes(choices: readonly Choice[]): void {
  test.each(nonEmpty(titled(choices)))('the mock answers like the mix %s', async (_, choice) => {
    const learned = await learnSubject(subject(variant(choice)))
    const { agreeing, places, differences } = learned.likeness
    expect(ofItsSession(learned)).toEqual([])
    expect(agreeing / places, JSON.stringify([choice, differences.slice(0, 10)])).toBeGreaterThanOrEqual(0.95)
  })
}

/** Deployments that differ in more than choices. */
export const oddOnes = [
  ['lists of pairs', listsOfPairs, 'manual'],
  ['names from XML, and identifiers within links', likeXml, 'manual'],
  ['members named by files, fields and identifiers', namedMembers, 'manual'],
  ['envelopes of each call, and executions that end', ownEnvelopes, 'instant'],
] as const

/** Tests that the mock answers like odd deployments. */
export function testOddOnes(rows: readonly (typeof oddOnes)[number][]): void {
  test.each(nonEmpty(rows))('the mock answers like %s', async (_, wrapper, approvers) => {
    const learned = await learnSubject(subject((create) => wrapper(create()), { approvers }))
    const { agreeing, places, differences } = learned.likeness
    expect(ofItsSession(learned)).toEqual([])
    expect(agreeing / places, JSON.stringify(differences.slice(0, 10))).toBeGreaterThanOrEqual(0.95)
  })
}

/** Returns what templates show of the session that they were learned from: identifiers, and what was sent in it. */
function ofItsSession({ profile, identifiers }: LearnedSubject): string[] {
  const { answers, refusals } = profile
  const text = JSON.stringify([answers, refusals])
  return [...identifiers, 'k3f9a2', 'learn-', 'Approver 1'].filter((one) => text.includes(one))
}

/**
 * A profile without what cannot be the same twice: the time, the upload URL, which carries the mock's own signature, the number
 * that a counter starts with, and the guesses for refusals that were never seen and for data that an answer may lack.
 */
function lasting({ learned: _time, uploadUrl: _address, ...profile }: Profile): unknown {
  return JSON.parse(JSON.stringify(profile), (_, value) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).filter(([member]) => !isMomentary(member, value)))
      : value,
  )
}

const isMomentary = (member: string, value: object) =>
  (member === 'from' && '$new' in value) ||
  (member === 'else' && '$case' in value) ||
  (member === 'or' && '$' in value && Reflect.get(value, 'or') === '')
