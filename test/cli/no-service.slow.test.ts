/** What the commands say about an address or a key that no call of the API is accepted with. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { recordedHar } from '../conformance/replay/recording.ts'
import { mustFail, mustPrint, run, runHere, runWith } from '../support/command.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { scratch } from '../support/scratch.ts'
import { addressOf } from '../support/serve.ts'
import { freshKey } from '../support/service.ts'

const page = async () =>
  new Response('<!doctype html><title>Welcome</title>', { headers: { 'Content-Type': 'text/html; charset=utf-8' } })

/** Servers that accept nothing, with what is said of them. */
const servers = {
  'a wrong key': [async () => Response.json({ error: 'bad key' }, { status: 401 }), 'Check that the key is valid'],
  'a wrong path': [
    async () => Response.json({ error: 'nothing here' }, { status: 404 }),
    'Check that this is the address of',
  ],
  'a web page': [page, 'Check that this is the address of the API'],
} satisfies Record<string, [() => Promise<Response>, string]>

describe.each(nonEmpty(Object.entries(servers)))('with %s', (name, [answer, advice]) => {
  const env = { COUNTERSIGN_API_KEY: freshKey() }

  test.each([
    ['compare', []],
    ['compare', ['--explore', '40']],
  ])('%s %j is undecided, and says what to check', async (command, more) => {
    const url = await addressOf(answer)
    const running = runHere([command, url, url, '--settle', '0', ...more], env, scratch())
    await mustPrint(running, 2, new RegExp(`A: No call was accepted: .*${advice}`))
  })

  test('replay says what to check', async () => {
    const args = ['replay', 'session.har', '--url', await addressOf(answer), '--settle', '0']
    const running = runWith({ 'session.har': await recordedHar() }, args, env)
    await mustPrint(running, name === 'a wrong key' ? 2 : 1, advice)
  })

  test('learn could not run, says what to check, and writes nothing', async () => {
    const [url, folder] = [await addressOf(answer), join(scratch(), 'profile')]
    await mustFail(run(['learn', '--url', url, '--settle', '0', '--out', folder], env), 4, advice)
    expect(existsSync(folder)).toBe(false)
  })

  test('conformance says what to check, and does not pass the address', async () => {
    const url = await addressOf(answer)
    const { stdout } = await runHere(['conformance', '--url', url, '--settle', '0', '--report-dir', scratch()], env)
    expect(stdout).toContain(advice)
    expect(stdout).not.toMatch(/^pass +api\.under-api-v1/m)
  })
})
