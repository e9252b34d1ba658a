import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { notePasswords, noteSecret, redactSecrets } from '../../cli/secrets.ts'
import { mustFail, runHere } from '../support/command.ts'
import { escapings, packings, runsIn } from '../support/encodings.ts'
import { canaries, canary, leaksOf, mustNotLeak, otherCanary } from '../support/leaks.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { scratch } from '../support/scratch.ts'

test('the search finds every kind of leak', () => {
  const hex = Buffer.from(canary).toString('hex')
  for (const how of [
    ...[canary, encodeURIComponent(canary), encodeURIComponent(canary).toLowerCase(), JSON.stringify(canary)],
    ...[btoa(canary), btoa(`x${canary}`), hex, hex.toUpperCase(), hex.replaceAll(/../g, '%$&')],
    ...[canary.slice(0, 8), canary.slice(9, 17), canary.slice(-8), hex.slice(0, 16), hex.slice(-16)],
    ...[btoa(canary.slice(7, 15)), encodeURIComponent(canary.slice(9, 17))],
  ]) {
    expect({ how, leaks: leaksOf(`before ${how} after`, canary, 8) }).not.toEqual({ how, leaks: [] })
  }
})

test.each([
  ['an address where nothing listens', ['--url', 'http://127.0.0.1:1'], 4],
  ['an unknown command', [''], 3],
  ['a plan', ['--url', 'http://127.0.0.1:1', '--dry-run'], 2],
  ['the key as an option', ['--api-key', canary], 3],
  ['the key in an option', [`--api-key=${canary}`], 3],
  ['the key as an argument', [canary], 3],
  ['the key in the address', ['--url', `http://${canary}@127.0.0.1/`], 3],
  ['the key as a query', ['--url', `http://127.0.0.1/?key=${encodeURIComponent(canary)}`], 3],
  ['the key as a check', ['--only', canary], 3],
  ['a profile that is called so', ['--profile', canary], 3],
  [
    'a folder that cannot be',
    ['--report-dir', `/dev/null/${encodeURIComponent(canary)}`, '--only', 'workflow.name'],
    4,
  ],
])('%s: the key is not shown', async (_, args, code) => {
  const folder = scratch()
  const mine = code === 4 && args[0] === '--report-dir' ? { ...canaries, COUNTERSIGN_URL: '' } : canaries
  const ended = await runHere(args[0] === '' ? [canary] : ['conformance', ...args], mine, folder)
  expect(ended.code).toBe(code)
  mustNotLeak(ended, folder, [canary, otherCanary])
})

test('a baseline or profile that contains the key is refused without showing it', async () => {
  const folder = scratch()
  writeFileSync(join(folder, 'a.json'), JSON.stringify({ [canary]: 1 }))
  writeFileSync(join(folder, 'b.json'), canary)
  const stated = ['a.json', 'b.json'].flatMap((file) => [
    ['--profile', file],
    ['--baseline', file],
  ])
  for (const args of nonEmpty(stated)) {
    const { code, stdout, stderr } = await runHere(['conformance', ...args], canaries, folder)
    expect(code).toBe(3)
    // No other files are written.
    expect(readdirSync(folder).sort()).toEqual(['a.json', 'b.json'])
    for (const text of [stdout, stderr]) expect(leaksOf(text, canary, 8)).toEqual([])
  }
})

test.each(['test_line\nbreak', 'test_line\rbreak', 'test_schlüssel', 'test_key with space', 'test_\u200b'])(
  'the key %j is refused when it is read, and not repeated',
  async (key) => {
    for (const name of ['COUNTERSIGN_API_KEY', 'COUNTERSIGN_API_KEY_2']) {
      const all = { COUNTERSIGN_API_KEY: 'test_sound', [name]: key }
      const { stderr } = await mustFail(runHere(['conformance', '--url', 'http://127.0.0.1:1'], all), 3, name)
      expect(stderr).toBe(
        `${name} has a space, a line break or a character outside ASCII. Set it to the value alone, or leave it out.\n`,
      )
    }
  },
)

test('a key with a scheme is refused with the reason, and not repeated', async () => {
  const env = { COUNTERSIGN_API_KEY: 'Bearer test_key' }
  const message = /^COUNTERSIGN_API_KEY begins with a scheme, but keys are sent without one/
  const { stderr } = await mustFail(runHere(['conformance', '--url', 'http://127.0.0.1:1'], env), 3, message)
  expect(stderr).not.toContain('test_key')
})

const secret = 'cAnArY+/=&<>"Zz9~qT4x%K'
const url = (password: string) => `postgres://me:${encodeURIComponent(password)}@db/x`

// What was noted stays so, which must not help the other rows.
test.each<[string, string, (secret: string) => unknown]>([
  ['a key', secret, (value) => vi.stubEnv('COUNTERSIGN_API_KEY_B_2', value)],
  ['an admin token', secret, (value) => vi.stubEnv('COUNTERSIGN_ADMIN_TOKEN', value)],
  ['a credential for S3', secret, (value) => vi.stubEnv('AWS_SECRET_ACCESS_KEY', value)],
  ['a password of a database', secret, (value) => vi.stubEnv('PGPASSWORD', value)],
  ['a password in an address', 'wOrDlE+/=&<>"Xy8~rU5w%J', (value) => notePasswords(['mock', url(value)])],
  ['a value of a header', 'hEaDeR+/=&<>"Vw7~sV6v%H', noteSecret],
])('%s is in no message, in any encoding', (_, secret, provide) => {
  onTestFinished(() => void vi.unstubAllEnvs())
  provide(secret)
  for (const { name, write, read } of nonEmpty([...escapings, ...packings])) {
    const text = redactSecrets(`It failed: ${write(secret)}.`)
    expect({ name, text }).toEqual({ name, text: expect.stringMatching(/^It failed: .*\*\*\*key\*\*\*/) })
    expect(runsIn(read(text), secret)).toEqual([])
  }
})
