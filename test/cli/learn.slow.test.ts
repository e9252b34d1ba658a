import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runningReference } from '../../conformance/selftest/reference.ts'
import { createMock } from '../../src/index.ts'
import { mustPrint, run, start, withoutProgress } from '../support/command.ts'
import { canary, everythingIn, leaksOf } from '../support/leaks.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { sharedScratch } from '../support/scratch.ts'
import { addressOf, serve } from '../support/serve.ts'

const env = { COUNTERSIGN_API_KEY: canary }
const folder = sharedScratch()

describe('a deployment', () => {
  let learned: Awaited<ReturnType<typeof run>> & { readonly folder: string; readonly out: string }
  const profile = () => JSON.parse(readFileSync(join(learned.out, 'profile.json'), 'utf8'))
  // Learning takes some seconds, so the tests share it. The clock runs.
  beforeAll(async () => {
    const { url, close } = await serve(runningReference())
    const ended = await run(['learn', '--url', url, '--out', 'learned', '--settle', '0s'], env, folder)
    close()
    learned = { ...ended, folder, out: join(folder, 'learned') }
  })

  test('is written to four files, and what was learned and the likeness are printed', () => {
    const { code, stdout, stderr, out } = learned
    expect(withoutProgress(stderr)).toBe('')
    expect(readdirSync(out).sort()).toEqual(['openapi.yaml', 'overlay.yaml', 'profile.json', 'session.har'])
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

  test('is reviewed thing by thing, and what was said is kept at once', async () => {
    const { child, ended, printed } = start(['learn', '--review', '--out', 'learned'], {}, learned.folder)
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
    const check = async (fetch: (request: Request) => Promise<Response>) => {
      const args = ['learn', '--check', join(learned.out, 'profile.json'), '--url', await addressOf(fetch)]
      return run([...args, '--settle', '0s'], env, learned.folder)
    }
    const { fetch } = createMock({ approvers: 'manual' })
    const changed = async (request: Request) => {
      const response = await fetch(request)
      return request.url.endsWith('/confirm') && response.ok
        ? new Response(response.body, { status: 201, headers: response.headers })
        : response
    }
    await mustPrint(check(fetch), 0, ': same. 0 of ')
    await mustPrint(check(changed), 1, 'changed  confirmUpload /status: 201 now, 200 as')
  })
})
