import { expect, test } from 'vitest'
import { isSameName, normalizeName, wordsOf } from '../../../conformance/reading/names.ts'
import {
  endsWithRole,
  isJoined,
  isNamed,
  mentionsRole,
  termsOf,
  vocabulary,
} from '../../../conformance/reading/vocabulary.ts'
import { findExpressions } from '../../support/expressions.ts'
import { nonEmpty } from '../../support/non-empty.ts'

/** Folders in which only the vocabulary may match names. */
const folders = ['reading', 'evidence', 'diagnosis', 'judging'].map((name) => `conformance/${name}`)

/** Matches alternatives of words: those that begin or end with two or more letters. */
const alternativeWords = /[a-z]{2}[)?]{0,2}\||\|[(?:]{0,3}[a-z]{2}/i

const withoutClasses = (source: string) => source.replaceAll(/\\./g, '').replaceAll(/\[[^\]]*\]/g, '')

test('names are matched by the vocabulary, not by expressions with alternatives', () => {
  const found = findExpressions(folders).filter(({ expression }) =>
    alternativeWords.test(withoutClasses(expression.source)),
  )
  expect(found.map(({ where, expression }) => `${where} ${expression}`)).toEqual([])
})

test.each([/steps?|stages?/, /^(data|result)$/, /(?:id|no)$/])('%s would be found', (expression) => {
  expect(alternativeWords.test(withoutClasses(expression.source))).toBe(true)
})

test('the rows of the vocabulary are unique', () => {
  const rows = vocabulary.map(({ word, role }) => `${word} ${role}`)
  expect(rows.filter((row, index) => rows.indexOf(row) !== index)).toEqual([])
})

test('each row of the vocabulary is found by its word', () => {
  const lost = vocabulary.filter(({ word, role }) => !isNamed(word, role) || !mentionsRole(termsOf(word), role))
  expect(lost).toEqual([])
})

test.each([
  'step_performance',
  'stepPerformance',
  'StepPerformance',
  'step-performance',
  'step.performance',
  'Step Performance',
  'STEP_PERFORMANCE',
  'Step_Performance__c',
])('the words of %s are those of other spellings', (name) => {
  expect(wordsOf(name)).toEqual(['step', 'performance'])
})

test.each<[name: string, words: string[]]>([
  ['Steps__r', ['steps']],
  ['HTTPStatus', ['http', 'status']],
  ['/data/stepStats/0', ['data', 'step', 'stats']],
  ['Étapes', ['étapes']],
])('the words of %s are %j', (name, words) => {
  expect(wordsOf(name)).toEqual(words)
})

test.each([
  ['isSequential', 'sequential'],
  ['isSequential', 'Is_Sequential__c'],
  ['isSequential', 'is-sequential'],
  ['step_id', 'StepID'],
  ['order', 'Order__c'],
])('%s may be spelled %s', (name, shown) => {
  expect(isSameName(shown, name)).toBe(true)
})

test('another word is not another spelling', () => {
  expect(isSameName('sequence', 'isSequential')).toBe(false)
  expect(isSameName('isSequential', 'sequential')).toBe(false)
  expect(normalizeName('名前')).not.toBe(normalizeName('説明'))
})

test.each([
  ['in_progress', ['open']],
  ['executions', ['execution']],
  ['EndToEndTime', ['completion', 'duration']],
  ['choke-points', ['bottleneck']],
] as const)('%s tells of %j', (name, roles) => {
  for (const role of nonEmpty(roles)) expect(mentionsRole(termsOf(name), role), role).toBe(true)
})

test('a name of unknown words has no roles', () => {
  expect(termsOf('frobnicateQuux').map(({ roles }) => roles.size)).toEqual([0, 0])
})

test('words that are written together are recognised by their ends', () => {
  expect(isJoined('errcode', 'fault', 'code')).toBe(true)
  expect(isJoined('error_code', 'fault', 'code')).toBe(true)
  expect(isJoined('code', 'fault', 'code')).toBe(false)
  expect(endsWithRole('wfid', 'identifier')).toBe(true)
})

test('only the beginning of a hostile name is read', () => {
  expect(termsOf('数'.repeat(30_000)).length).toBeLessThan(200)
  expect(termsOf('a_'.repeat(30_000)).length).toBeLessThan(200)
})
