import { expect, test } from 'vitest'
import { exploreBeside } from './explore.ts'
import { plantedFaults } from './planted.ts'

const faultOf = (name: string) => {
  const create = plantedFaults[name]
  if (!create) throw new TypeError(`There is no fault '${name}'.`)
  return create()
}

test('a fault that needs four calls in a certain order is shortened to them', async () => {
  const { found, sent } = await exploreBeside(faultOf('a file that was sent twice cannot be confirmed'), 2)
  expect(found?.session.map(({ call }) => call)).toEqual(['requestUpload', 'putObject', 'putObject', 'confirmUpload'])
  expect(found?.text).toBe('It is accepted by A, and refused by B.')
  expect(found?.exchanges.length).toBe(4)
  expect(sent).toBeLessThanOrEqual(500)
})

test('without answers, nothing is the same', async () => {
  const { answered, notes } = await exploreBeside(() => Promise.reject(new Error('Gone.')), 1)
  expect([answered, notes.length]).toEqual([0, 1])
})
