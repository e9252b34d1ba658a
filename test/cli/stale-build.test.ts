import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratch } from '../support/scratch.ts'

test.each([
  ['warns', 1, "openapi.yaml has changed since the build, which is still used. Run 'npm run build'.\n"],
  ['is silent', -1, ''],
])('the command %s if the contract is later than the build by %i s', (_, seconds, said) => {
  const folder = scratch()
  mkdirSync(join(folder, 'dist/cli'), { recursive: true })
  mkdirSync(join(folder, 'cli'), { recursive: true })
  cpSync('cli/countersign.js', join(folder, 'cli/countersign.js'))
  for (const file of ['dist/cli/main.js', 'dist/built-from', 'openapi.yaml']) writeFileSync(join(folder, file), '')
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  utimesSync(join(folder, 'dist/built-from'), 1000, 1000)
  utimesSync(join(folder, 'openapi.yaml'), 1000 + seconds, 1000 + seconds)
  expect(spawnSync(process.execPath, [join(folder, 'cli/countersign.js')], { encoding: 'utf8' }).stderr).toBe(said)
})
