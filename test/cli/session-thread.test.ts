import { EventEmitter } from 'node:events'
import { expect, test, vi } from 'vitest'
import { UsageError } from '../../src/cli/exit.ts'
import type { SessionMessage, SessionTask } from '../../src/cli/session-task.ts'
import { playInThread } from '../../src/cli/session-thread.ts'

const task: SessionTask = {
  kind: 'replay',
  file: 'session.har',
  flags: { report: [], reportDir: 'out', requestTimeout: 10 },
}

/** A thread that tells these messages, and what was done with it. */
function threadOf(messages: readonly SessionMessage[]) {
  const [events, done] = [new EventEmitter(), [] as string[]]
  const thread = Object.assign(events, {
    postMessage: (order: string) => void done.push(order),
    terminate: () => {
      done.push('terminated')
      events.emit('exit')
    },
  })
  setImmediate(() => {
    for (const message of messages) events.emit('message', message)
  })
  return { start: () => thread, done, events }
}

test('a thread without a sign of life is stopped', async () => {
  const { start, done } = threadOf([{ kind: 'alive' }])
  await expect(playInThread(task, start, 1)).rejects.toThrow(/^It was stopped by force, since it was busy for 0.001 s/)
  expect(done).toEqual(['terminated'])
})

test('what a thread prints is printed, and its code returned', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const { start } = threadOf([
    { kind: 'print', text: 'same\n' },
    { kind: 'ended', code: 1 },
  ])
  const code = await playInThread(task, start)
  expect([code, write.mock.calls]).toEqual([1, [['same\n']]])
  write.mockRestore()
})

test('an error of usage stays one, and a thread that ends without a result is a fault', async () => {
  const { start } = threadOf([{ kind: 'failed', isUsage: true, message: 'No.' }])
  await expect(playInThread(task, start)).rejects.toThrow(new UsageError('No.'))
  const { start: other, events } = threadOf([])
  const playing = playInThread(task, other)
  events.emit('exit')
  await expect(playing).rejects.toThrow(/^It ended without a result/)
})

test('a thread that needs too much memory says so', async () => {
  const { start, events } = threadOf([])
  const playing = playInThread(task, start)
  events.emit('error', Object.assign(new Error('Worker terminated'), { code: 'ERR_WORKER_OUT_OF_MEMORY' }))
  await expect(playing).rejects.toThrow(/^It needs more than 1024 MiB of memory/)
  events.emit('exit')
})
