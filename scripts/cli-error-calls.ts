/** A command that ends with an error. */
export interface CommandError {
  /** Describes the error in one sentence. */
  readonly wrong: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** A port in use and a free one; the page shows their names. */
export const ports = { taken: 'TAKEN_PORT', free: 'FREE_PORT' } as const

const mock = (wrong: string, ...args: string[]): CommandError => ({ wrong, args: ['mock', ...args] })
const suite = (wrong: string, ...args: string[]): CommandError => ({ wrong, args: ['conformance', ...args] })
const deployment = 'https://approvals.example'

/** Files that the commands name; any other is missing. */
export const files: Readonly<Record<string, string>> = {
  'notes.txt': 'Not JSON.',
  'unknown-field.json': '{"locator": {}}',
  'other.har': '{"log": {"entries": []}}',
  'broken.journal': 'no journal\n',
}

/** One command for each error of the command line, in the order of the page. */
export const commandErrors: readonly CommandError[] = [
  { wrong: 'There is no such command.', args: ['serve'] },
  mock('There is no such option.', '--prot', '4011'),
  mock('The port is out of range.', '--port', '70000'),
  mock('The port is in use.', '--port', ports.taken),
  mock('The host is no name or address.', '--host', 'my host'),
  mock('This machine does not have the address.', '--host', '192.0.2.1'),
  mock('The clock speed is no number.', '--clock-speed', 'fast'),
  mock('The scenario does not exist.', '--scenario', 'holiday'),
  mock('The approvers have no such mode.', '--approvers', 'robots'),
  mock('The latency has a unit.', '--latency', '1s'),
  mock('The percentiles are in the wrong order.', '--latency', 'p50=900,p99=80'),
  mock('The rate limit is zero.', '--rate-limit', '0'),
  mock('The size has no known unit.', '--max-upload-size', '10 files'),
  mock('Fewer executions than the details list.', '--max-executions', '5'),
  mock('The base path ends with a slash.', '--base-path', '/team/'),
  mock('The public address has no scheme.', '--public-base-url', 'mock.example'),
  mock('The public address has a password.', '--public-base-url', 'https://sam:secret@mock.example'),
  mock('The admin token cannot be sent in a header.', '--admin-token', 'two\nlines'),
  mock('The file is no journal.', '--journal', 'broken.journal'),
  mock('The folder of the journal does not exist.', '--journal', 'missing/mock.journal'),
  mock('The objects are in no bucket.', '--objects', 's3://uploads/files'),
  mock('The folder of the objects cannot be made.', '--objects', 'notes.txt/files'),
  mock('The store has no credentials.', '--objects', 's3://uploads'),
  mock('The address of a store has no bucket.', '--objects-endpoint', 'https://objects.example'),
  mock('The command behind -- does not exist.', '--port', '0', '--', 'no-such-command'),
  suite('The address has no scheme.', '--url', 'approvals.example'),
  suite('There is no key.', '--url', deployment),
  { ...suite('The key is not a test key.', '--url', deployment), env: { COUNTERSIGN_API_KEY: 'live_0123456789' } },
  { ...suite('The key has a line break.', '--url', deployment), env: { COUNTERSIGN_API_KEY: 'test_two\nlines' } },
  {
    ...suite('Nothing answers.', '--url', `http://127.0.0.1:${ports.free}`),
    env: { COUNTERSIGN_API_KEY: 'test_demo' },
  },
  suite('The check to run does not exist.', '--only', 'workflow.nmae'),
  suite('The check to verify does not exist.', '--require-verified', 'workflow.nmae'),
  suite('The level does not exist.', '--level', 'guessed'),
  suite('The kind of report does not exist.', '--report', 'pdf'),
  suite('The time limit has an unknown unit.', '--request-timeout', '1h'),
  suite('The rate is zero.', '--rate-limit', '0'),
  suite('The profile does not exist.', '--profile', 'missing.json'),
  suite('The profile is no JSON.', '--profile', 'notes.txt'),
  suite('The profile has an unknown field.', '--profile', 'unknown-field.json'),
  suite('The baseline does not exist.', '--baseline', 'missing.json'),
  suite('The baseline is no JSON.', '--baseline', 'notes.txt'),
  suite('The reads do not exist.', '--reads', 'missing.json'),
  { wrong: 'The reads are no JSON.', args: ['reads', 'notes.txt'] },
  { wrong: 'The file has no reads.', args: ['reads', 'unknown-field.json'] },
  { wrong: 'No report is named.', args: ['judge'] },
  { wrong: 'The report does not exist.', args: ['judge', 'missing'] },
  { wrong: 'The report is no JSON.', args: ['judge', 'notes.txt'] },
  { wrong: 'The session does not exist.', args: ['replay', 'missing.har'] },
  { wrong: 'The session is no JSON.', args: ['replay', 'notes.txt'] },
  { wrong: 'The session has calls of another API only.', args: ['replay', 'other.har'] },
  { wrong: 'No mock answers.', args: ['health', '--port', ports.free] },
  { wrong: 'There is no key for the tenant.', args: ['tenant', 'export'] },
  {
    wrong: 'No mock runs at the address.',
    args: ['tenant', 'export', '--url', `http://127.0.0.1:${ports.free}`],
    env: { COUNTERSIGN_API_KEY: 'test_demo' },
  },
  {
    wrong: 'The tenant file does not exist.',
    args: ['tenant', 'import', 'missing.json'],
    env: { COUNTERSIGN_API_KEY: 'test_demo' },
  },
  { wrong: 'The folder cannot be made.', args: ['docs', '--out', 'notes.txt/pages'] },
  { wrong: 'The logo does not exist.', args: ['docs', '--logo', 'missing.svg'] },
  { wrong: 'The logo is no image.', args: ['docs', '--logo', 'notes.txt'] },
  { wrong: 'The title is empty.', args: ['docs', '--title', ''] },
  { wrong: 'The URL ends in /api/v1.', args: ['docs', '--server-url', `${deployment}/api/v1`] },
]
