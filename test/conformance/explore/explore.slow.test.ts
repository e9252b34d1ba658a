import { expect, test } from 'vitest'
import { drawSessions } from '../../../cli/draw-sessions.ts'
import type { PlannedCall } from '../../../conformance/explore/plan.ts'
import { reference } from '../../../conformance/selftest/reference.ts'
import { choiceText, singleChoices, variant } from '../../../conformance/selftest/variants/index.ts'
import { changeAnswer, changeBody, changeRequest, type ServerFunction } from '../../../conformance/selftest/wrapper.ts'
import { createMock } from '../../../src/index.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { clientOf, workflow } from '../../support/service.ts'
import { exploreBeside } from './explore.ts'
import { plantedFaults, realisticFaults } from './planted.ts'

const create: PlannedCall = { call: 'createWorkflow', manner: 'sound' }
const request: PlannedCall = { call: 'requestUpload', manner: 'sound' }
const read = (workflow: number): PlannedCall => ({ call: 'getWorkflow', manner: 'sound', workflow })

/** Several tests ask what exploring a fault with a seed finds. */
const explored = new Map<string, ReturnType<typeof exploreBeside>>()

function exploreFault(name: string, seed: number) {
  const create = { ...plantedFaults, ...realisticFaults }[name]
  if (!create) throw new TypeError(`There is no fault '${name}'.`)
  const key = `${name} ${seed}`
  const exploration = explored.get(key) ?? exploreBeside(create(), seed)
  explored.set(key, exploration)
  return exploration
}

test.each(nonEmpty(Object.keys(plantedFaults)))('found: %s', async (name) => {
  let found = 0
  for (const seed of [2, 1, 3]) {
    if ((await exploreFault(name, seed)).found) found += 1
    if (found === 2) return
  }
  expect.unreachable(`Only ${found} of 3 seeds find it.`)
})

test('most mistakes of real services are found with one seed', async () => {
  const found: string[] = []
  for (const name of nonEmpty(Object.keys(realisticFaults))) {
    const { found: difference } = await exploreFault(name, 1)
    if (difference && difference.session.length <= 5) found.push(name)
  }
  expect(found.length).toBeGreaterThanOrEqual(7)
})

type Alike = [what: string, one: () => ServerFunction, other: () => ServerFunction, seed?: number]

const showing = (name: string, values: readonly string[]) =>
  adding((reads) => ({ [name]: values[reads % values.length] }))

const alike: Alike[] = [
  ...singleChoices
    .filter((_, index) => index % 40 === 0)
    .map((choice): Alike => {
      const create = () => variant(choice)(reference)
      return [choiceText(choice), create, create, 3]
    }),
  ...[1, 2, 3].map((seed) => {
    const [one, other] = ['a', 'b'].map((from) => () => createMock({ seed: from }).fetch)
    return [`time and chance (seed ${seed})`, one ?? reference, other ?? reference, seed] satisfies Alike
  }),
  [
    'durations that are equal by chance',
    () => showing('elapsed', ['0.004s', '0s', '0s']),
    () => showing('elapsed', ['0s']),
  ],
  [
    'identifiers from times that are equal by chance',
    () => showing('node', ['820481904175218706', '820481904171024402', '820481904171024402']),
    () => showing('node', ['820481904171024402']),
  ],
]

test.each<Alike>(nonEmpty(alike))('two instances do not differ: %s', async (what, one, other, seed = 1) => {
  const { found, noise, answered } = await exploreBeside(one(), seed, other())
  expect([found?.text, answered > 150]).toEqual([undefined, true])
  if (what.endsWith('by chance')) expect(noise).toBe(0)
})

test('a deployment in another shape does not differ from the reference', async () => {
  const choice = { 'workflow-id': 'location-only', envelope: 'result', 'error-status': 'invalid-422' }
  const { found, answered, sent, notes } = await exploreBeside(variant(choice)(reference), 1)
  expect([found?.text, notes]).toEqual([undefined, ['B shows its identifiers at other places than the contract.']])
  expect(answered).toBeGreaterThan(150)
  expect(sent).toBeLessThanOrEqual(500)
})

test('what shows only sometimes is noise', async () => {
  const inner = reference()
  let calls = 0
  const { found, noise } = await exploreBeside(async (request) => {
    calls += 1
    return calls % 41 === 0 ? Response.json({ error: 'Not now.' }, { status: 409 }) : inner(request)
  }, 3)
  expect(found).toBeUndefined()
  expect(noise).toBeGreaterThan(0)
})

test('a fault that needs four calls in a certain order is shortened to them', async () => {
  const { found, sent } = await exploreFault('a file that was sent twice cannot be confirmed', 2)
  expect(found?.session.map(({ call }) => call)).toEqual(['requestUpload', 'putObject', 'putObject', 'confirmUpload'])
  expect(found?.text).toBe('It is accepted by A, and refused by B.')
  expect(found?.exchanges.length).toBe(4)
  expect(sent).toBeLessThanOrEqual(500)
})

test('a fault that shows in a value alone, after a refused execution, is found', async () => {
  const { found } = await exploreFault('a refused execution is counted', 1)
  expect(found?.session.map(({ call }) => call)).toEqual(['createWorkflow', 'executeWorkflow', 'getWorkflow'])
  expect(found?.text).toBe('/execution_metrics/total is 0 in the answer of A, and 1 in that of B.')
})

test('calls without a key are shortened to calls about things that do not exist', async () => {
  const lock = realisticFaults['three calls without a key in a row lock the next one out']
  if (!lock) throw new TypeError('There is no such fault.')
  const confirm: PlannedCall = { call: 'confirmUpload', manner: 'without key', upload: 1 }
  const session = [create, request, confirm, confirm, confirm, read(0)]
  const { found } = await exploreBeside(lock(), 1, reference(), [session])
  expect(found?.session.map(({ call, manner }) => `${call} ${manner}`)).toEqual([
    'createWorkflow sound',
    ...[1, 2, 3].map(() => 'confirmUpload without key'),
    'getWorkflow sound',
  ])
})

test('with two keys, a deployment that does not tell tenants apart is found', async () => {
  const sound = reference()
  const mixing = async (request: Request) => {
    const headers = request.headers.has('authorization') ? { authorization: 'test_all' } : {}
    return sound(await changeRequest(request, { headers }))
  }
  const { found } = await exploreBeside(mixing, 1, reference(), drawSessions(1, 500, { hasTenants: true }))
  expect(found?.session.length).toBe(2)
  expect(found?.session.map(({ manner }) => manner)).toContain('by another tenant')
  expect(found?.text).toBe('It is refused by A, and accepted by B.')
  const alone = await exploreBeside(mixing, 1)
  expect(alone.found).toBeUndefined()
})

/** Creates a sound server that adds members to details. */
function adding(more: (reads: number) => object): ServerFunction {
  let reads = 0
  const change = changeAnswer('getWorkflow', (body) => {
    reads += 1
    return { ...body, ...more(reads) }
  })
  return change(reference())
}

test('a negative figure is a difference, even if the sides have never agreed there', async () => {
  const aged = (age_seconds: number) => adding(() => ({ age_seconds }))
  const { found } = await exploreBeside(aged(-5), 1, aged(5))
  expect(found?.text).toBe('/age_seconds (range) is at least 0 in the answer of A, and below 0 in that of B.')
})

test.each([{ 'workflow-id': 'id' }, { 'workflow-id': 'nested' }, { 'workflow-id': 'camel-case' }])(
  'with %j, identifiers are known from the first call on',
  async (choice) => {
    const [one, other] = [variant(choice)(reference), variant(choice)(reference)]
    // So that the two have other identifiers.
    expect(
      (await clientOf({ fetch: other }, 'test_explore').call('POST', '/api/v1/workflows', workflow())).status,
    ).toBe(201)
    const session = [create, create, read(1), read(0)]
    const { found, noise, answered } = await exploreBeside(one, 1, other, [session])
    expect([found, noise, answered]).toEqual([undefined, 0, 4])
  },
)

test('a file name that is a number may be accepted', async () => {
  const change = changeBody('requestUpload', (body) => ({ ...body, file_name: String(body.file_name) }))
  const lenient = () => change(reference())
  const session: PlannedCall[] = [
    { ...request, manner: 'file_name: another type' },
    { call: 'putObject', manner: 'sound', upload: 0 },
  ]
  const { answered } = await exploreBeside(lenient(), 1, lenient(), [session])
  expect(answered).toBe(2)
})

test('without answers, nothing is the same', async () => {
  const { answered, notes } = await exploreBeside(() => Promise.reject(new Error('Gone.')), 1)
  expect([answered, notes.length]).toEqual([0, 1])
})

test('calls that one side fails now and then are counted, without a difference', async () => {
  let calls = 0
  const sound = reference()
  const failing: ServerFunction = (request) => {
    calls += 1
    return calls % 17 === 0 ? Promise.resolve(new Response(null, { status: 500 })) : sound(request)
  }
  const { found, failedAlone } = await exploreBeside(failing, 1)
  expect([found, failedAlone[0]]).toEqual([undefined, 0])
  expect(failedAlone[1]).toBeGreaterThan(3)
})
