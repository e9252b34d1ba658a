import { expect, test } from 'vitest'
import { operationsOf, readYaml } from '../../scripts/contract.ts'
import { errorCalls, errorStatuses } from '../../scripts/docs/error-calls.ts'
import { provoke } from '../../scripts/docs/provoke.ts'
import { createMock } from '../../src/index.ts'
import { contract, mustKeepContract, readContract } from '../support/contract.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { errorCodeIn, freshKey } from '../support/service.ts'

const admin = readYaml('src/contract/admin.yaml')
const adminContract = readContract('src/contract/admin.yaml')
const calls = errorCalls(contract, admin)

test('every error status of every operation has a call, and no call has another', () => {
  const listed = [contract, admin].flatMap((document) =>
    operationsOf(document).flatMap((one) =>
      errorStatuses(document, one).map((status) => `${one.operationId} ${status}`),
    ),
  )
  const provoked = calls.filter(({ operationId }) => operationId !== 'any')
  expect([...new Set(provoked.map((one) => `${one.operationId} ${one.status}`))].sort()).toEqual(listed.sort())
})

test('every error code of the contract has a call, except internal-error', () => {
  const codes = new Set(calls.map(({ code }) => code))
  const listed: string[] = contract.components.schemas.Problem.properties.code.enum
  expect(listed.filter((code) => !codes.has(code))).toEqual(['internal-error'])
})

test('each call gets its error, as the contract says', async () => {
  const answered: string[] = []
  for (const [place, call] of nonEmpty(calls.entries())) {
    const { fetch } = createMock({ admin: {}, ...(call.needsFullMemory && { maxMemoryBytes: 1 }) })
    const environment = { COUNTERSIGN_URL: 'http://127.0.0.1:4010', COUNTERSIGN_API_KEY: freshKey() }
    const { request, response } = await provoke(call, fetch, environment)
    await mustKeepContract(request, response)
    await adminContract.mustBeKept(request.method, new URL(request.url).pathname, response)
    answered.push(`${place + 1}: ${call.operationId} ${response.status} ${errorCodeIn(await response.text())}`)
  }
  const wanted = calls.map(({ operationId, status, code }, place) => `${place + 1}: ${operationId} ${status} ${code}`)
  expect(answered).toEqual(wanted)
})
