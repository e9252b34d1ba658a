import { readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { scenarios } from '../../mocks/scenarios/index.ts'
import { DomainError } from '../../src/domain/errors.ts'
import { openJournal } from '../../src/node/journal/journal-file.ts'
import { type Archive, ArchiveError, UnavailableError } from '../../src/world/archive.ts'
import type { RecordedEvent } from '../../src/world/events.ts'
import { MemoryFiles } from '../../src/world/files.ts'
import { createKeptMock, fill, journalPath, key } from '../support/kept.ts'
import { mustAnswer } from '../support/must-answer.ts'
import { clientOf, service } from '../support/service.ts'

const full = new ArchiveError('The disk is full. Free some space, then try again.')

/** An archive on a disk that is sometimes full. */
function archiveOn(disk: { isFull: () => boolean }, error = full) {
  const kept: RecordedEvent[] = []
  const write = () => {
    if (disk.isFull()) throw error
  }
  const archive: Archive = {
    files: new MemoryFiles(1000, { keep: write, remove() {} }),
    read() {},
    append(_, records) {
      write()
      kept.push(...records.filter((record) => 'type' in record))
    },
    forget: write,
  }
  return { kept, archive }
}

test('on a full disk no work is half done, and all is done once there is space', async () => {
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.boolean()), fc.constantFrom('auto', 'instant'), async (luck, approvers) => {
      const disk = { isFull: () => false }
      const { kept, archive } = archiveOn({ isFull: () => disk.isFull() })
      const { mock, key, details, confirmed, created, world } = service({ archive, approvers })
      const { workflow_id } = await created()
      const { document_id } = await confirmed()
      disk.isFull = () => luck.next().value ?? false
      const { execute, create } = clientOf(mock, key)
      let started = 0
      for (let turn = 0; turn < 12; turn += 1) {
        const answer = await (turn % 2 === 0 ? execute(workflow_id, document_id) : create())
        if (answer.status === 202) started += 1
        else if (answer.status === 500) expect(answer.json.detail).toMatch(/disk is full/)
        expect(kept).toEqual(world.journal.read())
        try {
          world.clock.advance(3_600_000)
        } catch (error) {
          expect(error).toBeInstanceOf(ArchiveError)
        }
      }
      disk.isFull = () => false
      await created()
      world.clock.advance(90 * 86_400_000)
      expect(kept).toEqual(world.journal.read())
      expect((await details(workflow_id)).json.execution_metrics).toMatchObject({ total: started, running: 0 })
    }),
    { numRuns: 50 },
  )
})

test('a scenario is kept whole or not at all', () => {
  const scenario = scenarios.rejected
  const nothing = archiveOn({ isFull: () => true })
  expect(() => service({ archive: nothing.archive, scenario })).toThrow(ArchiveError)
  expect(nothing.kept).toEqual([])
  const filling = archiveOn({ isFull: () => filling.kept.length > 0 })
  expect(service({ archive: filling.archive, scenario }).world.journal.read()).toEqual(filling.kept)
  expect(filling.kept.length).toBeGreaterThan(3)
})

test.each([
  ['auto', 'assigned'],
  ['instant', 'assigned'],
  ['instant', 'unassigned'],
] as const)('on a full disk a mock starts and is read: %s approvers, %s steps', async (approvers, state) => {
  const path = journalPath()
  const first = createKeptMock(path)
  const { workflowId } = await fill(first)
  // Without the assignments, as after a kill before them.
  const lines = readFileSync(path, 'utf8').split('\n')
  const isKept = (line: string) => state === 'assigned' || !line.includes('"StepAssigned"')
  writeFileSync(path, lines.filter(isKept).join('\n'))
  const journal = openJournal(path)
  onTestFinished(() => journal.close())
  const refuse = () => {
    throw new UnavailableError('The disk is full.')
  }
  const spy = vi.spyOn(journal, 'append').mockImplementation(refuse)
  const options = { archive: journal, approvers, startTime: Date.now(), clockSpeed: 1000 }
  const { mock, created, details } = service(options, key)
  const metrics = async () => (await details(workflowId)).json.execution_metrics
  expect(await metrics()).toMatchObject({ total: 1, running: 1 })
  expect(() => mock.advance('P90D', key)).toThrow('The disk is full.')
  expect(await metrics()).toMatchObject({ total: 1, running: 1 })
  expect((await clientOf(mock, key).create()).status).toBe(503)
  spy.mockRestore()
  const kept = vi.spyOn(journal, 'append')
  await created()
  mock.advance('P90D')
  const ofAll = kept.mock.calls.flatMap(([tenant, records]) => (tenant === '' ? records : []))
  expect(ofAll).toEqual([1000, 1000].map((speed) => ({ clock: expect.objectContaining({ speed }) })))
  expect(await metrics()).toMatchObject({ total: 1, running: 0 })
})

test.each([
  ['a full disk', 'InternalError', 500, full],
  ['a database that is away', 'ServiceUnavailable', 503, new UnavailableError('The database is away. Try again.')],
  ['a full memory', 'InsufficientStorage', 507, new DomainError('memory-full', 'The memory is full. Reset it.')],
  ['a fault of ours', 'InternalError', 500, new Error('a secret of ours')],
])('storage answers %s with the XML of %s', async (_, code, status, error) => {
  const disk = { isFull: () => false }
  const { mock, requested, pdf } = service({ archive: archiveOn(disk, error).archive })
  const { upload_url, headers } = await requested()
  disk.isFull = () => true
  // The contract has none of these answers.
  const put = clientOf(mock).put(upload_url, pdf, headers)
  const answer = await mustAnswer(put, status, code)
  expect(answer.headers.get('Content-Type')).toBe('application/xml')
  expect(answer.text.includes(error.message)).toBe(!error.message.includes('secret'))
})
