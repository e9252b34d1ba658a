/** Repeats how `profile.json` and `src/api.gen.ts` were made. The deployment is one of the repository's own variants. */
import { execFileSync, spawn } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '../..')
const bin = (name) => join(root, 'node_modules/.bin', name)
const variant = 'field-case=camel,envelope=data,workflow-id=counter,error-format=error-code'

/** Runs a command, and throws unless it ends with one of the codes. */
function run(command, args, codes = [0]) {
  try {
    execFileSync(command, args, {
      cwd: here,
      stdio: 'inherit',
      env: { ...process.env, COUNTERSIGN_API_KEY: 'test_example' },
    })
  } catch (error) {
    if (!codes.includes(error.status)) throw error
  }
}

const server = join(root, 'conformance/selftest/serve.ts')
const deployment = spawn(bin('tsx'), [server, '--running-clock', '--variant', variant], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [ready] = await deployment.stdout.take(1).toArray()
const learned = mkdtempSync(join(tmpdir(), 'countersign-learned-'))
try {
  // 2: learned but for something, which the table names.
  run(bin('countersign'), ['learn', '--url', JSON.parse(ready).url, '--out', learned], [0, 2])
  copyFileSync(join(learned, 'profile.json'), join(here, 'profile.json'))
  run(bin('openapi-typescript'), [
    join(learned, 'openapi.yaml'),
    '--default-non-nullable=false',
    '-o',
    'src/api.gen.ts',
  ])
} finally {
  deployment.kill()
  rmSync(learned, { recursive: true })
}
