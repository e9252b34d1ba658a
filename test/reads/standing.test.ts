import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { standingOf } from '../../conformance/reads/standing.ts'
import { contractProfile } from '../../conformance/selftest/contract-profile.ts'
import { examples } from '../../src/contract/examples.gen.ts'
import type { OperationId } from '../../src/contract/operations.ts'
import type { Profile } from '../../src/index.ts'
import type { ReadPlace, ReadsFile } from '../../src/reads/reads-file.ts'
import { nonEmpty } from '../support/non-empty.ts'

const at = (operation: OperationId, status: number, place: string): ReadPlace => ({
  ...{ operation, status, place, uses: ['value'], types: [], tests: [] },
})

/** Returns all places of a value. */
function placesIn(json: unknown, place = ''): string[] {
  if (json === null || typeof json !== 'object') return [place]
  const inside = Object.entries(json).flatMap(([name, value]) =>
    placesIn(value, `${place}/${Array.isArray(json) ? '*' : name}`),
  )
  return [place, ...inside]
}

const places = Object.entries(examples).flatMap(([operation, answers]) =>
  Object.entries(answers).flatMap(([status, { type = '', examples: bodies }]) => {
    const all = /json/.test(type) ? Object.values(bodies).flatMap((body) => placesIn(body)) : []
    return all.map((place) => at(operation as OperationId, Number(status), place))
  }),
)

test('all places in the contract’s examples are documented or assumed, and say why', () => {
  const standing = nonEmpty(places).map((place) => standingOf(place))
  expect(standing.filter((one) => one.standing === 'unknown')).toEqual([])
  expect(standing.filter(({ requirements, gaps }) => requirements.length + gaps.length === 0)).toEqual([])
})

test('only the two fields that the document names in an answer are documented', () => {
  const documented = places.filter((place) => standingOf(place).standing === 'documented')
  expect([...new Set(documented.map(({ operation, place }) => `${operation} ${place}`))]).toEqual([
    'requestUpload /upload_url',
    'requestUpload /session_id',
  ])
})

test.each([
  ['a fact whose place is open', 'getWorkflow', 200, '/execution_metrics', 'assumed', ['gap.details-response']],
  ['a success with another status', 'createWorkflow', 200, '/name', 'assumed', ['gap.workflow-response']],
  ['a place that the contract does not have', 'getWorkflow', 200, '/x_own', 'unknown', []],
  ['a refusal that the contract does not have', 'getWorkflow', 410, '/code', 'unknown', []],
  ['a member of a success in a refusal', 'createWorkflow', 418, '/name', 'unknown', []],
] as const)('%s has its standing', (_, operation, status, place, standing, gaps) => {
  const found = standingOf(at(operation, status, place))
  expect(found).toMatchObject({ standing, gaps })
  // An assumed fact names its requirement too.
  if (place === '/execution_metrics') expect(found.requirements).toEqual(['details.execution-metrics'])
})

test('the profile of the contract changes nothing', () => {
  const own = places.filter(({ status, place }) => status < 300 && place !== '')
  const changed = nonEmpty(own).filter((place) => {
    const { standing, contractPlace } = standingOf(place, contractProfile as Profile)
    return standing !== standingOf(place).standing || contractPlace !== undefined
  })
  expect(changed).toEqual([])
})

test('with a learned profile, places have the standing of the contract’s', () => {
  const folder = new URL('../../examples/like-a-deployment/', import.meta.url)
  const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')
  const profile = JSON.parse(read('profile.json')) as Profile
  const reads: ReadsFile = JSON.parse(read('reads.json'))
  const standing = reads.places.map((place) => standingOf(place, profile))
  expect(standing.filter((one) => one.standing === 'documented').map(({ place }) => place)).toEqual([
    '/data/session_id',
    '/data/upload_url',
  ])
  const unknown = standing.filter((one) => one.standing === 'unknown').map(({ place }) => place)
  expect([...new Set(unknown)]).toEqual(['', '/error', '/error/message'])
})
