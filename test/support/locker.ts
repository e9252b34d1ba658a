/** Locks files in a process or thread of its own and answers each order of `lockers.ts`. */
import { renameSync, writeFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { never } from '../../src/domain/decider.ts'
import { lock } from '../../src/node/lock-file.ts'
import type { Order, Reply } from './lockers.ts'

let release = () => {}

function obey(order: Order): Reply {
  switch (order.do) {
    case 'lock':
      // Spin, because timers are late by a different amount in each process.
      while (Date.now() < order.at);
      return { held: tryToLock(order.path) }
    case 'release':
      release()
      return { held: false }
    case 'replace':
      for (let turn = 0; turn < order.times; turn += 1) replace(order.path, `${order.path}.new`)
      return { held: true }
    case 'try':
      for (let turn = 0; turn < order.times; turn += 1) if (tryToLock(order.path)) return { held: true }
      return { held: false }
    default:
      return never(order)
  }
}

function tryToLock(path: string): boolean {
  try {
    release = lock(path).release
    return true
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('Another mock has the journal')) return false
    throw error
  }
}

/** Replaces the locked file as the doc comment of `lock` says. */
function replace(path: string, fresh: string): void {
  writeFileSync(fresh, '')
  const { release: releaseFresh } = lock(fresh)
  renameSync(fresh, path)
  release()
  release = releaseFresh
}

if (parentPort) parentPort.on('message', (order: Order) => parentPort?.postMessage(obey(order)))
else process.on('message', (order: Order) => process.send?.(obey(order)))
