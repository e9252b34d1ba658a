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
import { openJournal } from '../../src/node/journal/journal-file.ts'
import { createKeptMock, fill, journalPath, key } from '../support/kept.ts'
import { clientOf, workflow } from '../support/service.ts'

const auth = { Authorization: key }
const definition = { name: 'x'.repeat(2000), description: '', isSequential: true, steps: [] }

/** Appends events of about 2 KiB. */
function write(journal: ReturnType<typeof openJournal>, tenant: string, count: number): void {
  for (let seq = 1; seq <= count; seq += 1) {
    journal.append(tenant, [{ seq, at: seq, type: 'WorkflowCreated', workflowId: `wf_${seq}`, definition }])
  }
}

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
    const path = journalPath()
    const first = createKeptMock(path)
    const { workflowId } = await fill(first)
    copyFileSync(path, `${path}.copy`)
    lose(path)
    const before = textAt(path)
    const file = { file_name: 'a.pdf', content_type: 'application/pdf', file_size: 1 }
    for (const [target, body] of [
      ['/api/v1/workflows', workflow()],
      ['/api/v1/upload/', file],
    ] as const) {
      const { status, headers, json } = await clientOf(first.mock, key).call('POST', target, body)
      const { code, detail } = json
      expect([status, headers.get('Retry-After'), code]).toEqual([503, '1', 'journal-unavailable'])
      expect(detail).toMatch(message)
      expect(detail).toMatch(/ Put it back as it was, or restart the mock to continue with what is there\.$/)
    }
    expect(() => first.mock.reset(key)).toThrow(message)
    expect((await first.call('GET', `/api/v1/workflows/${workflowId}`, undefined, auth)).status).toBe(200)
    expect(first.warnings).toEqual([expect.stringMatching(message)])
    expect(textAt(path)).toBe(before)
    putBack(path)
    const created = await first.create()
    first.stop()
    expect(createKeptMock(path).world.hasWorkflow(created)).toBe(true)
  },
)

test.each(['before', 'during'])('a journal replaced %s a compaction is not overwritten', async (when) => {
  const path = journalPath()
  const warnings: string[] = []
  const first = openJournal(path, { warn: (message) => warnings.push(message) })
  write(first, 'live', 10)
  write(first, 'dead', 1000)
  let second: ReturnType<typeof openJournal> | undefined
  const replaceIt = () => {
    renameSync(path, `${path}.bak`)
    second = openJournal(path)
    write(second, 'other', 3)
  }
  if (when === 'before') {
    replaceIt()
    expect(() => first.forget('dead')).toThrow(/^Another file is in the place/)
  } else {
    first.forget('dead')
    replaceIt()
  }
  const text = readFileSync(path, 'utf8')
  await first.settled()
  expect(warnings).toEqual([expect.stringMatching(/Another file is in the place of the journal/)])
  expect(readFileSync(path, 'utf8')).toBe(text)
  expect(readFileSync(`${path}.bak`, 'utf8')).toContain('wf_1000')
  write(second as ReturnType<typeof openJournal>, 'more', 1)
  second?.close()
  first.close()
  rmSync(path)
  moveBack(path)
  const events = new Set<string>()
  openJournal(path).read(({ tenantId }) => events.add(tenantId))
  expect(events).toContain('live')
})
