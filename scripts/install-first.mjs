/** Installs the dependencies if there are none, so that `npm start` and `npm test` work right after `git clone`. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

if (!existsSync('node_modules/.package-lock.json')) {
  process.stdout.write('The dependencies are not installed yet. Running npm ci first, which takes about a minute.\n')
  const { status } = spawnSync('npm', ['ci'], { stdio: 'inherit', shell: process.platform === 'win32' })
  process.exitCode = status ?? 1
}
