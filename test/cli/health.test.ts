import { expect, test } from 'vitest'
import { mustFail, runHere } from '../support/command.ts'
import { started } from '../support/started.ts'

test('health exits with 0 if a mock answers', async () => {
  const { port } = await started()
  expect(await runHere(['health', '--port', `${port}`])).toMatchObject({ code: 0, stdout: '', stderr: '' })
})

test('health exits with 4 if nothing listens, and says what to do', async () => {
  const { mock, port } = await started()
  await mock.close()
  const advice = `The mock does not answer at ${mock.url}. Check that it is running, and on this port (--port).\n`
  await mustFail(runHere(['health', '--port', `${port}`]), 4, advice)
})
