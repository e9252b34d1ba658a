import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bin, mustFail, ready, run, start, startedMock, startNode } from '../support/command.ts'
import { journalPath } from '../support/kept.ts'
import { scratch } from '../support/scratch.ts'
import { clientOf, workflow } from '../support/service.ts'

const key = 'test_trouble'

/** Waits until a mock is ready, and starts it first if it is not given. Returns functions that call it and stop it. */
async function mock(args: readonly string[] = [], starting = startedMock(args)) {
  const { url, stop } = await starting
  const create = (name: string) => clientOf({ url }, key).create({ name })
  return { url, stop, create }
}

/** Returns the names of the workflows at a mock, in the order of their creation. */
async function namesAt(url: string): Promise<string[]> {
  const { events } = (await clientOf({ url }, key).get('/__admin/journal?limit=10000')).json
  return events.map(({ name }: { name: string }) => name)
}

test('everything that was answered before a kill -9 is restored', async () => {
  const journal = journalPath()
  const first = await mock(['--journal', journal])
  const answered: string[] = []
  const writer = async (name: string) => {
    for (let turn = 0; ; turn += 1) {
      const { status } = await first.create(`${name} ${turn}`)
      expect(status).toBe(201)
      answered.push(`${name} ${turn}`)
      if (answered.length === 100) await first.stop('SIGKILL')
    }
  }
  await Promise.allSettled(['a', 'b', 'c', 'd'].map(writer))
  expect(answered.length).toBeGreaterThanOrEqual(100)
  const second = await mock(['--journal', journal])
  expect(await namesAt(second.url)).toEqual(expect.arrayContaining(answered))
  expect((await second.stop()).code).toBe(0)
})

test('without its optional package a mock runs, but refuses a journal', async () => {
  const folder = scratch()
  const preload = join(folder, 'missing.cjs')
  const hide = `const { _load } = module.constructor
    module.constructor._load = (name, ...rest) => {
      if (name === 'fs-native-extensions') throw new Error('Cannot find module')
      return _load(name, ...rest)
    }`
  writeFileSync(preload, hide)
  const env = { NODE_OPTIONS: `--require ${preload}` }
  await (await startedMock([], env)).stop()
  const refused = run(['mock', '--port', '0', '--journal', join(folder, 'journal.jsonl')], env)
  await mustFail(refused, 4, 'optional package fs-native-extensions')
})

const isFull = expect.stringMatching(
  /^Cannot write \S*journal\.jsonl: .*\. Free some space on its disk, then try again\.\n?$/,
)

test('a full disk is a clear error, and the mock continues', async () => {
  const journal = journalPath()
  // No file can be longer than 8 blocks of 512 bytes: writes fail as on a full disk.
  const limited = ['-c', 'ulimit -f 8 && exec "$@"', 'sh', process.execPath, bin]
  const args = ['mock', '--port', '0', '--json', '--quiet', '--journal', journal]
  const { url, create, stop } = await mock([], ready(startNode([...limited, ...args], {}, undefined, 'sh')))
  let answer = await create('a')
  for (let turn = 0; turn < 100 && answer.status === 201; turn += 1) answer = await create('a')
  expect([answer.status, answer.json.detail]).toEqual([503, isFull])
  expect((await create('a')).status).toBe(503)
  const names = await namesAt(url)
  const lines = readFileSync(journal, 'utf8').split('\n')
  // Every line is complete, and the lines contain all answered events.
  const kept = lines.slice(0, -1).flatMap((text) => JSON.parse(text).seq ?? [])
  expect(kept).toEqual(names.map((_, index) => index + 1))
  expect(lines.at(-1)).toBe('')
  expect(await stop()).toMatchObject({ code: 0, stderr: isFull })
})

test('a damaged journal is refused with its line until --journal-repair', async () => {
  const journal = journalPath()
  const first = await mock(['--journal', journal])
  for (const name of ['kept', 'damaged', 'lost']) await first.create(name)
  await first.stop()
  writeFileSync(journal, readFileSync(journal, 'utf8').replace('damaged', 'demaged'))
  const refused = run(['mock', '--port', '0', '--journal', journal])
  await mustFail(refused, 4, /^\S*journal\.jsonl is damaged: line 4 .*--journal-repair\.\n$/)
  const second = await mock(['--journal', journal, '--journal-repair'])
  expect(await namesAt(second.url)).toEqual(['kept'])
  const { code, stderr } = await second.stop()
  expect([code, stderr]).toEqual([0, expect.stringMatching(/Lines 1 to 3 were kept.* were moved to \S+\.damaged\.\n$/)])
})

test('on SIGTERM it answers the request in flight and exits 0', async () => {
  const { url, stop } = await mock()
  const connected = () => connect(Number(new URL(url).port), '127.0.0.1')
  const idle = connected()
  idle.write('GET /api/v1/workflows/x HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(idle, 'data')
  const closed = once(idle, 'close')
  const body = JSON.stringify(workflow())
  const inFlight = connected()
  const head = ['POST /api/v1/workflows HTTP/1.1', 'Host: localhost', 'Authorization: test_trouble']
  const fields = ['Content-Type: application/json', `Content-Length: ${body.length}`, 'Expect: 100-continue']
  inFlight.write(`${[...head, ...fields].join('\r\n')}\r\n\r\n`)
  // The server has the request when it asks for the body.
  expect(String(await once(inFlight, 'data'))).toMatch(/^HTTP\/1\.1 100 /)
  const order: string[] = []
  const ended = stop().then((end) => {
    order.push('ended')
    return end
  })
  await closed.then(() => order.push('idle closed'))
  inFlight.write(body)
  expect(String(await once(inFlight, 'data'))).toMatch(/^HTTP\/1\.1 201 /)
  order.push('answered')
  expect(await ended).toMatchObject({ code: 0, stderr: '' })
  expect(order).toEqual(['idle closed', 'answered', 'ended'])
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('a mock with a closed output reports that once and continues', async () => {
  const { child, ended } = start(['mock', '--port', '0'])
  child.stdout.destroy()
  await once(child.stderr, 'data')
  child.kill('SIGTERM')
  const { code, stderr } = await ended
  expect([code, stderr]).toEqual([0, 'The output is closed (EPIPE). The work continues without it.\n'])
})

test('a run with a closed output reports that once and writes its reports', async () => {
  const folder = scratch()
  const { child, ended } = start(['conformance', '--only', 'workflow.name'], {}, folder)
  child.stdout.destroy()
  const { code, stderr } = await ended
  expect([code, stderr]).toEqual([2, 'The output is closed (EPIPE). The work continues without it.\n'])
  const report = JSON.parse(readFileSync(join(folder, 'conformance-report/report.json'), 'utf8'))
  expect(report.verdict).toBe('undecided')
})
