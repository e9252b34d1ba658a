import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runningReference } from '../../conformance/selftest/reference.ts'
import { createMock } from '../../src/index.ts'
import { run, runHere } from '../support/command.ts'
import { everythingIn, leaksOf } from '../support/leaks.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { scratch } from '../support/scratch.ts'
import { serve } from '../support/serve.ts'

/** A key that looks different in every encoding. */
const canary = 'test_cAnArY"&<\\%/+=?Zz9~qT4x'
const files = ['openapi.yaml', 'overlay.yaml', 'profile.json', 'session.har']

type Learned = Awaited<ReturnType<typeof learnReference>>

/** Learns the reference, with a clock that runs, into a folder `learned`. */
async function learnReference() {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'))
  const { url, close } = await serve(runningReference())
  const ended = await run(['learn', '--url', url, '--out', 'learned'], { COUNTERSIGN_API_KEY: canary }, folder)
  close()
  return { ...ended, folder, out: join(folder, 'learned') }
}

describe('a deployment', () => {
  let learned: Learned
  // Learning takes some seconds, so the tests share it.
  beforeAll(async () => {
    learned = await learnReference()
    return () => rmSync(learned.folder, { recursive: true })
  })

  test('is written to four files, and what was learned and the likeness are printed', () => {
    const { code, stdout, stderr, out } = learned
    expect(stderr).toBe('')
    expect(readdirSync(out).sort()).toEqual(files)
    expect(stdout).toMatch(/^gap\.workflow-response +sure +\d+ x {2}identifier at \/workflow_id$/m)
    expect(stdout).toMatch(/^Stays assumed, since nothing was seen: .*step-states/m)
    const [, share] = stdout.match(/^Likeness (\d\.\d\d): \d+ of \d+ places agree/m) ?? []
    expect(Number(share)).toBeGreaterThanOrEqual(0.97)
    expect(stdout).not.toContain('Guessed: ')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Try it: countersign mock --like learned\/profile\.json$/m)
  })

  test('leaves its key in no file and no output', () => {
    const { stdout, stderr, out } = learned
    for (const text of nonEmpty([stdout, stderr, everythingIn(out)])) expect(leaksOf(text, canary, 8)).toEqual([])
  })

  test('is learned from its session again, without a request', async () => {
    const { out, folder } = learned
    const session = join(out, 'session.har')
    const { code, stdout, stderr } = await runHere(['learn', '--from', session, '--out', 'again'], {}, folder)
    expect([[0, 2].includes(code ?? 4), stderr]).toEqual([true, ''])
    expect(stdout).toMatch(/^Read \d+ calls of http:\/\/127\.0\.0\.1:\d+\. Left out: 0 to other origins, 0 that/)
    expect(stdout).toContain('The likeness was not measured')
    expect(stdout).not.toContain('requests were sent')
    const [first, again] = ['learned', 'again'].map((name) => {
      return JSON.parse(readFileSync(join(folder, name, 'profile.json'), 'utf8'))
    })
    expect(again.answers.createWorkflow).toEqual(first.answers.createWorkflow)
    expect(Object.keys(again.answers)).toEqual(Object.keys(first.answers))
  })
})

test('where nothing listens it exits with 4, and writes no file', async () => {
  const { url, close } = await serve(createMock().fetch)
  close()
  const folder = scratch()
  const { code, stdout, stderr } = await run(
    ['learn', '--url', url, '--out', 'a/b'],
    { COUNTERSIGN_API_KEY: 'test_a' },
    folder,
  )
  expect([code, stdout]).toEqual([4, ''])
  expect(stderr).toBe(`${url} cannot be reached (ECONNREFUSED). Check the address, and that the deployment runs.\n`)
  expect(readdirSync(folder)).toEqual([])
})

const flawed = [
  ['a newer version', { version: 2 }, '/version is 2, and only 1 is known; update countersign'],
  [
    'an unknown instruction',
    { version: 1, answers: { getWorkflow: { status: 200, body: { a: { $magic: 1 } } } } },
    'at /answers/getWorkflow/body/a',
  ],
  [
    'a fact that does not exist',
    { version: 1, answers: { getWorkflow: { status: 200, body: { a: { $: '/workflow/name' } } } } },
    'at /answers/getWorkflow/body/a/$',
  ],
  [
    'a field that does not exist',
    { version: 1, answers: { createWorkflow: { status: 200, body: { a: [{ $: '/answer/titel' }] } } } },
    "at /answers/createWorkflow/body/a/0/$, the answer has no 'titel'; use one of workflow_id, name,",
  ],
] as const

test.each(flawed)('a profile with %s is refused, with its place', async (_, profile, place) => {
  const folder = scratch()
  writeFileSync(join(folder, 'p.json'), JSON.stringify(profile))
  for (const args of [
    ['learn', '--url', 'http://127.0.0.1:1', '--profile', 'p.json'],
    ['mock', '--port', '0', '--like', 'p.json'],
    ['docs', '--like', 'p.json'],
  ]) {
    const { code, stdout, stderr } = await runHere(args, { COUNTERSIGN_API_KEY: 'test_a' }, folder)
    expect([args[0], code, stdout]).toEqual([args[0], 3, ''])
    expect(stderr).toMatch(/^The profile p\.json cannot be used: .+\. Correct it\.\n$/)
    expect(stderr).toContain(place)
  }
  expect(readdirSync(folder)).toEqual(['p.json'])
})

const entry = { request: { method: 'GET', url: 'https://other.example/pets', headers: [] }, response: { status: 200 } }

test.each([
  ['no JSON', 'GET / HTTP/1.1'],
  ['no HAR', '{"entries":[]}'],
  ['the HAR of another API', JSON.stringify({ log: { version: '1.2', entries: [entry] } })],
])('a recording that is %s is bad usage, in one line', async (_, text) => {
  const folder = scratch()
  writeFileSync(join(folder, 'session.har'), text)
  const { code, stdout, stderr } = await runHere(['learn', '--from', 'session.har'], {}, folder)
  expect([code, stdout]).toEqual([3, ''])
  expect(stderr).toMatch(/^[A-Z].+\. [A-Z].+\.\n$/)
  expect(existsSync(join(folder, 'countersign-profile'))).toBe(false)
})
