/** Starts a mock with a journal and a folder of objects, which ends itself with SIGKILL before or after a call of the system. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'

const [folder = '', fatal = '0'] = process.argv.slice(2)
let calls = 0
let isCounting = false

/** Ends the process at the place whose number was given: there is one before each call, and one after it. */
function passPlace(): void {
  if (!isCounting) return
  calls += 1
  if (calls === Number(fatal)) process.kill(process.pid, 'SIGKILL')
}

const isOfFolder = (of: unknown) => (typeof of === 'string' ? of.startsWith(folder) : Number(of) > 2)

for (const name of ['openSync', 'mkdirSync', 'writeSync', 'fsync', 'renameSync', 'rmSync', 'rmdirSync'] as const) {
  const real = fs[name] as (...args: unknown[]) => unknown
  const counted = (...args: unknown[]) => {
    if (!isOfFolder(args[0])) return real(...args)
    passPlace()
    try {
      return real(...args)
    } finally {
      passPlace()
    }
  }
  Object.assign(fs, { [name]: counted })
}
syncBuiltinESMExports()

const { startMock } = await import('../../src/node/start-mock.ts')
const mock = await startMock({
  journal: join(folder, 'mock.journal'),
  objects: join(folder, 'objects'),
  publicBaseUrl: 'http://mock.test',
  approvers: 'manual',
})
process.stdout.write(`${mock.url}\n`)
process.stdin.once('data', () => {
  isCounting = true
  process.stdout.write('counting\n')
})
process.stdin.once('end', () => process.exit(0))
