/** Loaded before the command: fails as FAULT names, in the thread that FAULT_IN names, FAULT_AFTER turns after that has begun. */
import { isMainThread } from 'node:worker_threads'

const things = {
  error: new TypeError('not\nours'),
  text: 'a text',
  nothing: undefined,
  bare: Object.assign(Object.create(null), { why: 'bare' }),
}
const acts = {
  exit: () => process.exit(0),
  'full memory': () => {
    for (const kept = []; ; ) kept.push(new Array(1e6).fill(kept.length + 0.5))
  },
}
const { FAULT = '', FAULT_IN = '', FAULT_AFTER = '0' } = process.env
const [how, what] = FAULT.split(' of ')

function fail() {
  if (how === 'throw') throw things[what]
  if (how === 'rejection') void Promise.reject(things[what])
  acts[how]?.()
}

function after(turns) {
  if (process.listenerCount('uncaughtException') === 0) setImmediate(() => after(turns))
  else if (turns > 0) setImmediate(() => after(turns - 1))
  else fail()
}

if (FAULT !== '' && isMainThread === (FAULT_IN === 'main')) after(Number(FAULT_AFTER))
