import { existsSync } from 'node:fs'

const python = '/usr/bin/python3'
const modules = '/usr/lib/python3/dist-packages/swift/common/middleware/s3api'

/** Returns the Python that has OpenStack Swift: `SWIFT_PYTHON` in the environment, otherwise Debian's; undefined without Swift. */
export function findSwift(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env.SWIFT_PYTHON) return env.SWIFT_PYTHON
  return existsSync(modules) ? python : undefined
}
