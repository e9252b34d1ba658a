import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { expect, test } from 'vitest'
import { createKeptMock, fill, key, openedJournal, restart, write } from '../support/kept.ts'
import { mustAnswer } from '../support/must-answer.ts'
import { clientOf } from '../support/service.ts'

/** What happens to the file of a running mock, how the message begins, and how the file is put back. */
const losses: [what: string, lose: (path: string) => void, message: RegExp, putBack: (path: string) => void][] = [
  ['moved', (path) => renameSync(path, `${path}.bak`), /was moved or removed/, moveBack],
  ['replaced', replace, /^Another file is in the place/, moveBack],
  ['truncated', (path) => truncateSync(path, 10), /^Another program has changed/, restore],
  ['appended to', (path) => appendFileSync(path, '\n'), /^Another program has changed/, restore],
]

function moveBack(path: string): void {
  renameSync(`${path}.bak`, path)
}

/** Writes a changed copy in the place of a file, as `sed -i` and rsync do. */
function replace(path: string): void {
  renameSync(path, `${path}.bak`)
  writeFileSync(path, readFileSync(`${path}.bak`, 'utf8').replace('sam@', 'tom@'))
}

/** Copies a file back without replacing it. */
function restore(path: string): void {
  copyFileSync(`${path}.copy`, path)
}

const textAt = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined)

test.each(losses)(
  'a journal that was %s is read and not written until it is back',
  async (_, lose, message, putBack) => {
    const first = createKeptMock()
    const { path } = first
    const { workflowId } = await fill(first)
    copyFileSync(path, `${path}.copy`)
    lose(path)
    const before = textAt(path)
    // The contract has no such answer.
    const { create, post } = clientOf(first.mock, key)
    const file = { file_name: 'a.pdf', content_type: 'application/pdf', file_size: 1 }
    for (const refused of [create(), post('/api/v1/upload/', file)]) {
      const { headers, json } = await mustAnswer(refused, 503, 'journal-unavailable')
      expect([headers.get('Retry-After'), json.detail]).toEqual(['1', expect.stringMatching(message)])
      expect(json.detail).toMatch(/ Put it back as it was, or restart the mock to continue with what is there\.$/)
    }
    expect(() => first.mock.reset(key)).toThrow(message)
    expect((await first.details(workflowId)).status).toBe(200)
    expect(first.warnings).toEqual([expect.stringMatching(message)])
    expect(textAt(path)).toBe(before)
    putBack(path)
    const created = await first.create()
    expect(restart(first).world.hasWorkflow(created)).toBe(true)
  },
)

test.each(['before', 'during'])('a journal replaced %s a compaction is not overwritten', async (when) => {
  const { path, warnings, journal: first } = openedJournal()
  write(first, 'live', 10)
  write(first, 'dead', 1000)
  if (when === 'during') first.forget('dead')
  renameSync(path, `${path}.bak`)
  const { journal: second } = openedJournal(path)
  write(second, 'other', 3)
  if (when === 'before') expect(() => first.forget('dead')).toThrow(/^Another file is in the place/)
  const text = readFileSync(path, 'utf8')
  await first.settled()
  expect(warnings).toEqual([expect.stringMatching(/Another file is in the place of the journal/)])
  expect(readFileSync(path, 'utf8')).toBe(text)
  expect(readFileSync(`${path}.bak`, 'utf8')).toContain('wf_dead_1000')
  write(second, 'more', 1)
  second.close()
  first.close()
  rmSync(path)
  moveBack(path)
  const tenants = new Set<string>()
  openedJournal(path).journal.read(({ tenantId }) => tenants.add(tenantId))
  expect(tenants).toContain('live')
})
