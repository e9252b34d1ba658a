import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Clock, endOfTime, type Ticker } from '../../src/world/clock.ts'
import { nonEmpty } from '../support/non-empty.ts'

const stopped = () => new Clock({ speed: 0, start: 0 })

/** A real clock that a test moves by hand. */
function handTicker(): Ticker & { move(ms: number): void } {
  let now = 1000
  let waiting: { at: number; run: () => void } | undefined
  return {
    now: () => now,
    wait(ms, run) {
      const mine = { at: now + ms, run }
      waiting = mine
      return () => {
        if (waiting === mine) waiting = undefined
      }
    },
    move(ms) {
      const end = now + ms
      while (waiting && waiting.at <= end) {
        const { at, run } = waiting
        waiting = undefined
        now = at
        run()
      }
      now = end
    },
  }
}

test('advancing runs all due tasks in order, each at its own time, unless cancelled', () => {
  const tasks = fc.array(fc.record({ at: fc.oneof(fc.nat(1000), fc.nat(10)), isCancelled: fc.boolean() }))
  fc.assert(
    fc.property(tasks, (tasks) => {
      const clock = stopped()
      const ran: object[] = []
      for (const task of tasks) {
        const cancel = clock.at(task.at, () => ran.push({ task, at: clock.now() }))
        if (task.isCancelled) cancel()
      }
      clock.advance(500)
      const due = tasks.filter(({ at, isCancelled }) => at <= 500 && !isCancelled)
      // Those of one time in the order of scheduling.
      expect(ran).toEqual(due.sort((a, b) => a.at - b.at).map((task) => ({ task, at: task.at })))
      expect(clock.now()).toBe(500)
    }),
  )
})

test('a task that a task schedules runs in the same advance', () => {
  const clock = stopped()
  const ran: number[] = []
  clock.at(10, () => {
    ran.push(clock.now())
    clock.at(clock.now() + 10, () => ran.push(clock.now()))
  })
  clock.advance(25)
  expect(ran).toEqual([10, 20])
})

test('a clock runs tasks sooner by its speed, and never at speed 0', () => {
  const ticker = handTicker()
  const [fast, still] = [3600, 0].map((speed) => new Clock({ speed, start: 0, ticker }))
  const ran: unknown[] = []
  for (const clock of [fast, still]) clock?.at(3_600_000, () => ran.push(clock.now()))
  ticker.move(999)
  expect(ran).toEqual([])
  ticker.move(1)
  expect([ran, still?.now()]).toEqual([[3_600_000], 0])
})

test('a failing task is reported and retried in order until it succeeds', () => {
  const ticker = handTicker()
  const clock = new Clock({ speed: 3600, start: 0, ticker })
  let works = false
  const ran: string[] = []
  clock.at(3_600_000, () => {
    if (!works) throw new Error('no space')
    ran.push('first')
  })
  clock.at(3_600_001, () => ran.push('second'))
  ticker.move(5000)
  expect(ran).toEqual([])
  expect(() => clock.catchUp()).toThrow('no space')
  works = true
  ticker.move(1000)
  expect(ran).toEqual(['first', 'second'])
})

test('an advance that fails does not take the time back behind what has run', () => {
  let failing = 'the alarm'
  const failIf = (what: string) => {
    if (failing === what) throw new Error(`${what} fails`)
  }
  const clock = new Clock({ speed: 0, start: 0, onMove: () => failIf('the move') })
  const ran: number[] = []
  clock.at(10, () => ran.push(clock.now()))
  clock.at(20, () => {
    failIf('the alarm')
    ran.push(clock.now())
  })
  expect(() => clock.advance(30)).toThrow('the alarm fails')
  expect([clock.now(), ran]).toEqual([20, [10]])
  failing = 'the move'
  expect(() => clock.advance(30)).toThrow('the move fails')
  expect([clock.now(), ran]).toEqual([20, [10, 20]])
  failing = 'nothing'
  clock.advance(30)
  expect(clock.now()).toBe(50)
})

test('an advance in slices tells where it ends when all of it has run', () => {
  const moves: [told: number, speed: number][] = []
  const clock = new Clock({ speed: 0, start: 0, onMove: (...move) => moves.push(move) })
  for (const at of [10, 20]) clock.at(at, () => {})
  const work = clock.pass(30)
  while (!work.next().done) expect(moves).toEqual([])
  expect(moves).toEqual([[30, 0]])
})

test('a clock stops at the end of time, when everything has run', () => {
  const ticker = handTicker()
  const clock = new Clock({ speed: 1_000_000, start: endOfTime - 1000, ticker })
  const ran: number[] = []
  clock.at(endOfTime + 1_000_000, () => ran.push(clock.now()))
  ticker.move(1_000_000)
  expect([ran, clock.now()]).toEqual([[endOfTime], endOfTime])
  clock.advance(1)
  expect(clock.now()).toBe(endOfTime)
})

test('a change of speed never sets the time back', () => {
  const changes = fc.array(fc.tuple(fc.constantFrom(0, 1, 60, 3600), fc.nat(10_000)), { minLength: 1 })
  fc.assert(
    fc.property(changes, (steps) => {
      const ticker = handTicker()
      const clock = new Clock({ ticker, start: 0 })
      let before = clock.now()
      for (const [speed, wait] of nonEmpty(steps)) {
        clock.setSpeed(speed)
        expect(clock.now()).toBeGreaterThanOrEqual(before)
        ticker.move(wait)
        before = clock.now()
      }
    }),
  )
})
