import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runHere } from '../support/command.ts'
import { scratch } from '../support/scratch.ts'

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
