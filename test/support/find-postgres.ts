import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const installed = '/usr/lib/postgresql'

/** Returns the folder of PostgreSQL's programs: `POSTGRES_BIN` in the environment, otherwise that of Debian's newest version. */
export function findPostgres(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env.POSTGRES_BIN) return env.POSTGRES_BIN
  const versions = existsSync(installed) ? readdirSync(installed).map(Number).filter(Number.isFinite) : []
  const folders = versions.sort((one, other) => other - one).map((version) => join(installed, String(version), 'bin'))
  return folders.find((folder) => existsSync(join(folder, 'postgres')))
}
