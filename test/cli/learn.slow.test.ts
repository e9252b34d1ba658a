import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runningReference } from '../../conformance/selftest/reference.ts'
import { createMock } from '../../src/index.ts'
import { run, runHere, start, withoutProgress } from '../support/command.ts'
import { canary, everythingIn, leaksOf } from '../support/leaks.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { scratch } from '../support/scratch.ts'
import { serve } from '../support/serve.ts'

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
    expect(withoutProgress(stderr)).toBe('')
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

  test('is reviewed thing by thing, and what was said is kept at once', async () => {
    const { out, folder } = learned
    const profile = () => JSON.parse(readFileSync(join(out, 'profile.json'), 'utf8'))
    const { child, ended, printed } = start(['learn', '--review', '--out', 'learned'], {}, folder)
    await printed('locators.workflow_id')
    child.stdin.write('\n')
    await printed('locators.document_id')
    expect(profile().settled).toEqual(['locators.workflow_id'])
    child.stdin.write('/nothing\n')
    await printed('No answer shows a value at /nothing.')
    // The input stays open, as a terminal does.
    child.stdin.write('q\n')
    const { code, stdout, stderr } = await ended
    expect([code, stderr, profile().settled]).toEqual([0, '', ['locators.workflow_id']])
    expect(stdout).toMatch(/^Settled 1 of \d+ in learned\/profile\.json\. /m)
  })

  test('still answers so, until it changes', async () => {
    const { out, folder } = learned
    const check = async (fetch: (request: Request) => Promise<Response>) => {
      const { url, close } = await serve(fetch)
      const args = ['learn', '--check', join(out, 'profile.json'), '--url', url]
      const ended = await run(args, { COUNTERSIGN_API_KEY: canary }, folder)
      close()
      return ended
    }
    const { fetch } = createMock({ approvers: 'manual' })
    const changed = async (request: Request) => {
      const response = await fetch(request)
      return request.url.endsWith('/confirm') && response.ok
        ? new Response(response.body, { status: 201, headers: response.headers })
        : response
    }
    const [same, other] = [await check(fetch), await check(changed)]
    expect([same.code, same.stdout]).toEqual([0, expect.stringContaining(': same. 0 of ')])
    expect([other.code, other.stdout]).toEqual([
      1,
      expect.stringContaining('changed  confirmUpload /status: 201 now, 200 as'),
    ])
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
