import { EventEmitter } from 'node:events'
import { expect, test, vi } from 'vitest'
import { UsageError } from '../../cli/exit.ts'
import { inThread, type TaskThread, type ThreadMessage } from '../../cli/thread.ts'

const task = {
  kind: 'replay',
  given: { file: 'session.har', flags: { report: [], reportDir: 'out', requestTimeout: 10 }, colour: false },
} as const

/** A thread that tells these messages, and what was done with it. */
function threadOf(messages: readonly ThreadMessage[]) {
  const [events, done] = [new EventEmitter(), [] as string[]]
  const thread: TaskThread & EventEmitter = Object.assign(events, {
    postMessage: (order: string) => void done.push(order),
    terminate: () => {
      done.push('terminated')
      events.emit('exit')
    },
  })
  setImmediate(() => {
    for (const message of messages) events.emit('message', message)
  })
  const carriedOut = (more: object = {}) => inThread(task, { start: () => thread, ...more })
  return { done, events, carriedOut }
}

test('a thread without a sign of life is stopped', async () => {
  const { carriedOut, done } = threadOf([{ kind: 'alive' }])
  await expect(carriedOut({ busyMs: 1 })).rejects.toThrow(/^It was stopped by force, since it was busy for 0.001 s/)
  expect(done).toEqual(['terminated'])
})

test('a task that lasts too long is asked to end, then stopped', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { carriedOut, done } = threadOf([])
  const outcome = carriedOut({ stopAfterMs: 5, soFar: (why: string) => why })
  vi.advanceTimersByTime(1e9)
  expect([await outcome, done]).toEqual(['it did not end when its time was over', ['stop', 'terminated']])
  vi.useRealTimers()
})

test('what a thread prints is printed, and its result returned', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const { carriedOut } = threadOf([
    { kind: 'print', text: 'same\n' },
    { kind: 'ended', result: 1 },
  ])
  const code = await carriedOut()
  expect([code, write.mock.calls]).toEqual([1, [['same\n']]])
  write.mockRestore()
})

test('an error of usage stays one', async () => {
  const { carriedOut } = threadOf([{ kind: 'failed', isUsage: true, message: 'No.' }])
  await expect(carriedOut()).rejects.toThrow(new UsageError('No.'))
})

const outOfMemory = Object.assign(new Error('Worker terminated'), { code: 'ERR_WORKER_OUT_OF_MEMORY' })

test.each([
  ['ends without a result', 'exit', undefined, /^It ended without a result/],
  ['needs too much memory', 'error', outOfMemory, /^It needs more than 1024 MiB of memory/],
  ['sends what cannot be read', 'messageerror', new Error('unreadable'), /^unreadable/],
] as const)('a thread that %s is an error', async (_, event, error, message) => {
  const { carriedOut, events } = threadOf([])
  const outcome = carriedOut()
  events.emit(event, error)
  await expect(outcome).rejects.toThrow(message)
  events.emit('exit')
})
