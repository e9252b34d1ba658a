import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

test('npm finds every dependency and no extraneous ones', () => {
  expect(() => execFileSync('npm', ['ls', '--all'], { cwd: root, stdio: 'pipe' })).not.toThrow()
})
