import { expect, test } from 'vitest'
import { ready, start } from '../support/command.ts'
import { freshKey } from '../support/service.ts'

/** Starts the mock, sends a request without a known path, and returns what was printed after the ready line. */
async function linesWith(...flags: string[]) {
  const { url, stop } = await ready(start(['mock', '--port', '0', ...flags]))
  const key = freshKey()
  await fetch(`${url}/api/v1/workflows/wf_none?secret=1`, { headers: { Authorization: key } })
  const { stdout, code } = await stop()
  expect([code, stdout.includes(key), stdout.includes('secret')]).toEqual([0, false, false])
  return stdout.split('\n').filter((line) => line.includes('wf_none'))
}

test('the mock prints a line for each request', async () => {
  expect(await linesWith()).toEqual([
    expect.stringMatching(
      /^[\d:]{8} [0-9a-f]{6} GET {2}\/api\/v1\/workflows\/wf_none 404 \d+ ms {2}workflow-not-found: /,
    ),
  ])
})

test('--quiet prints none, and --log json an object each', async () => {
  expect(await linesWith('--quiet')).toEqual([])
  const [line = ''] = await linesWith('--log', 'json')
  expect(JSON.parse(line)).toMatchObject({ method: 'GET', status: 404, code: 'workflow-not-found' })
})
