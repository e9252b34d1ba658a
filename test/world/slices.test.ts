import { expect, test } from 'vitest'
import { Slices, type Work } from '../../src/world/slices.ts'

/** A clock that advances one millisecond with each step of work, and an event loop that a test turns by hand. */
function byHand() {
  let now = 0
  let later: (() => void) | undefined
  const done: string[] = []
  const slices = new Slices({ sliceMs: 10, scheduler: { now: () => now, later: (run) => (later = run) } })
  const work = function* (name: string, steps: number): Work<string> {
    for (let step = 1; step <= steps; step += 1) {
      now += 1
      done.push(name)
      yield
    }
    return name
  }
  /** Runs one slice. Returns the work that it did. */
  const turn = () => {
    const run = later
    later = undefined
    const before = done.length
    run?.()
    return done.slice(before).join('')
  }
  return { slices, work, turn, done, isWaiting: () => later !== undefined }
}

test('work that fits into a slice is done at once, longer work in slices of ten steps', async () => {
  const { slices, work, turn, done, isWaiting } = byHand()
  expect(slices.run('a', work('a', 5))).toBe('a')
  expect([slices.isBusy('a'), isWaiting()]).toEqual([false, false])
  const result = slices.run('a', work('b', 25))
  expect([done.length, turn().length, slices.isBusy('a')]).toEqual([15, 10, true])
  expect([turn().length, slices.isBusy('a'), await result]).toEqual([5, false, 'b'])
})

test('work with different names takes turns within slices of the same length', () => {
  const { slices, work, turn } = byHand()
  slices.run('a', work('a', 25))
  slices.run('b', work('b', 15))
  slices.run('c', work('c', 2))
  expect([turn(), turn(), turn(), turn()]).toEqual(['a'.repeat(10), 'b'.repeat(10), 'ccaaaaabbb', 'bb'])
})

test('work of the same name waits for what came before, even if it is short', async () => {
  const { slices, work, turn, done } = byHand()
  slices.run('a', work('1', 15))
  const second = slices.run('a', work('2', 1))
  const third = slices.run('a', work('3', 1))
  expect(second).toBeInstanceOf(Promise)
  turn()
  expect(done.join('')).toBe(`${'1'.repeat(15)}23`)
  expect(await Promise.all([second, third])).toEqual(['2', '3'])
})

test('a synchronous call ends the work before it, which still resolves', async () => {
  const { slices, work, done, turn } = byHand()
  const long = slices.run('a', work('a', 30))
  slices.run('b', work('b', 30))
  expect(slices.atOnce(() => slices.run('a', work('c', 30)))).toBe('c')
  expect(done.join('')).toBe(`${'a'.repeat(30)}${'c'.repeat(30)}`)
  expect(await long).toBe('a')
  expect(turn()).toBe('b'.repeat(10))
})

test('work that fails rejects or throws for its own caller, and the next continues', async () => {
  const { slices, work, turn } = byHand()
  const failing = function* (steps: number): Work {
    yield* work('a', steps)
    throw new RangeError('too far')
  }
  const failed = slices.run('a', failing(15))
  const next = slices.run('a', work('b', 1))
  turn()
  await expect(failed).rejects.toThrow(RangeError)
  expect(await next).toBe('b')
  expect(() => slices.run('a', failing(1))).toThrow(RangeError)
  expect(slices.isBusy('a')).toBe(false)
})

test('without options, the event loop runs between slices', async () => {
  const slices = new Slices({ sliceMs: 0 })
  let turns = 0
  const count = setInterval(() => {
    turns += 1
  })
  const work = function* (): Work {
    while (turns < 3) yield
  }
  await slices.run('a', work())
  clearInterval(count)
  expect(turns).toBeGreaterThanOrEqual(3)
})
