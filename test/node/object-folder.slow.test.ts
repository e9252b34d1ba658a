import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startMock } from '../../src/node/start-mock.ts'
import { bundled } from '../support/bundled.ts'
import { scratch } from '../support/scratch.ts'
import { clientOf, type Upload } from '../support/service.ts'

const key = 'test_killed'
/** Upload URLs are signed for it, so they hold after a restart at another port. */
const publicBaseUrl = 'http://mock.test'
const [first, second] = ['first '.repeat(20_000), 'other '.repeat(20_000)]

/** Sends a file. Returns the status; undefined if there was no answer. */
async function put(url: string, { upload_url, headers }: Upload, body: string): Promise<number | undefined> {
  const { pathname, search } = new URL(upload_url)
  const response = await fetch(url + pathname + search, { method: 'PUT', headers, body }).catch(endedEarly)
  return response?.status
}

/** Ignores that the mock was killed. */
function endedEarly(): undefined {}

/** Returns the paths of the files in a folder, without the owner file and those that were moved aside. */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && one.name !== 'countersign-objects.txt')
    .map((one) => join(one.parentPath, one.name))
    .filter((path) => !path.startsWith(join(folder, 'aside')))

/**
 * Starts a mock that is killed at a place in what `act` causes. Returns true if it was, and what `act` returned.
 */
async function killAt<Result>(folder: string, place: number, act: (url: string) => Promise<Result>) {
  const script = await bundled(new URL('../support/mock-that-dies.ts', import.meta.url))
  const child = spawn(process.execPath, [script, folder, String(place)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const [url] = await once(child.stdout, 'data')
  child.stdin.write('go\n')
  await once(child.stdout, 'data')
  const result = await act(String(url).trim())
  child.stdin.end()
  const [, signal] = await ended
  return { isKilled: signal === 'SIGKILL', result }
}

test('a kill at any point of a PUT leaves the old file or the new one, whole', async () => {
  let places = 0
  const seen = new Set<string>()
  for (let place = 1; ; place += 1) {
    const folder = scratch()
    const [journal, objects] = [join(folder, 'mock.journal'), join(folder, 'objects')]
    const before = await startMock({ journal, objects, publicBaseUrl, approvers: 'manual', graceMs: 100 })
    const upload: Upload = await clientOf(before, key).requested('a.txt', first.length, 'text/plain')
    // Half of the time there is a file already.
    const hasFile = place % 2 === 0
    if (hasFile) expect(await put(before.url, upload, first)).toBe(200)
    await before.close()
    const { isKilled, result: status } = await killAt(folder, Math.ceil(place / 2), (url) => put(url, upload, second))
    expect(status).toBe(isKilled ? undefined : 200)
    const after = await startMock({ journal, objects, publicBaseUrl, approvers: 'manual', graceMs: 100 })
    const { confirm, download } = clientOf(after, key)
    const kept = filesIn(objects).map((path) => readFileSync(path, 'utf8'))
    expect(hasFile || kept.length === 0 ? [[first], [second], []] : [[second]]).toContainEqual(kept)
    expect(kept.length).toBeGreaterThanOrEqual(hasFile ? 1 : 0)
    seen.add(`${hasFile} ${kept.map((text) => text.slice(0, 5))}`)
    expect((await confirm(upload)).status).toBe(kept.length > 0 ? 200 : 409)
    if (kept.length > 0) {
      const { text } = await download(upload)
      expect([text]).toEqual(kept)
    } else {
      expect(await put(after.url, upload, second)).toBe(200)
      expect((await confirm(upload)).status).toBe(200)
    }
    expect(filesIn(objects)).toHaveLength(1)
    await after.close()
    if (!isKilled && hasFile) break
    places = place
  }
  expect([...seen].sort()).toEqual(['false ', 'false other', 'true first', 'true other'])
  expect(places).toBeGreaterThan(20)
})
