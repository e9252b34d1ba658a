import { expect, onTestFinished, test } from 'vitest'
import { startMock } from '../../src/node/index.ts'
import { runHere } from '../support/command.ts'

test('health exits with 0 if a mock answers', async () => {
  const mock = await startMock()
  onTestFinished(() => mock.close())
  expect(await runHere(['health', '--port', new URL(mock.url).port])).toMatchObject({ code: 0, stdout: '', stderr: '' })
})

test('health exits with 4 if nothing listens, and says what to do', async () => {
  const mock = await startMock()
  await mock.close()
  const { code, stderr } = await runHere(['health', '--port', new URL(mock.url).port])
  expect(code).toBe(4)
  expect(stderr).toBe(`The mock does not answer at ${mock.url}. Check that it is running, and on this port (--port).\n`)
})
