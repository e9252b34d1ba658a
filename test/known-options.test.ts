import { expect, test } from 'vitest'
import { handlers } from '../mocks/handlers.ts'
import { createMock } from '../src/index.ts'
import { startMock } from '../src/node/index.ts'

// In JavaScript, no compiler refuses these.
const misspelt = { Approvers: 'manual' } as object

test('an option that does not exist is refused, with the one that was meant', async () => {
  const message = "Unknown option 'Approvers'. Did you mean 'approvers'?"
  expect(() => createMock(misspelt)).toThrow(message)
  expect(() => handlers(misspelt)).toThrow(message)
  await expect(startMock(misspelt)).rejects.toThrow(message)
})

test('an option unlike any other is refused with the names of all', () => {
  expect(() => createMock({ speed: 2 } as object)).toThrow(
    /^Unknown option 'speed'\. Use one of seed, approvers, .*onFault\.$/,
  )
})
