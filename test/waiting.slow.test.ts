import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { startMock } from '../src/node/start-mock.ts'
import { run } from './support/command.ts'
import { blocksOf } from './support/markdown.ts'
import { nonEmpty } from './support/non-empty.ts'
import { scratch } from './support/scratch.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const blocks = blocksOf(readFileSync(join(root, 'docs/waiting.md'), 'utf8'))
const block = (part: string) => blocks.find(({ text }) => text.includes(part))?.text ?? ''

/** Returns a port that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Returns a recipe with a mock of this checkout at a port, and the packages at fixed versions. */
const runnable = (recipe: string, port: number) =>
  recipe
    .replaceAll('npx countersign mock', `node ${join(root, 'cli/countersign.js')} mock --port ${port}`)
    .replaceAll('127.0.0.1:4010', `127.0.0.1:${port}`)
    .replace('npx wait-on', 'npx --yes wait-on@9.5.1')

test('Playwright waits for the mock that it starts', async () => {
  const folder = scratch()
  const port = await freePort()
  const npm = (...args: string[]) => promisify(execFile)('npm', args, { cwd: folder })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  await npm('install', '--no-audit', '--no-fund', '@playwright/test@1.65.1')
  writeFileSync(join(folder, 'playwright.config.js'), runnable(block('webServer'), port))
  const expectation = `expect((await request.post('http://127.0.0.1:${port}/api/v1/workflows')).status()).toBe(401)`
  writeFileSync(
    join(folder, 'mock.spec.js'),
    `import { expect, test } from '@playwright/test'\ntest('is called', async ({ request }) => { ${expectation} })`,
  )
  const { stdout } = await npm('exec', 'playwright', 'test')
  expect(stdout).toContain('1 passed')
})

test('wait-on waits for the mock', async () => {
  const line = runnable(block('wait-on'), await freePort()).replace('npm run test:e2e', 'echo it is ready; kill $!')
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { cwd: scratch() })
  expect(stdout).toContain('it is ready')
})

test('the image has the health check that Compose waits for', async () => {
  const { services } = parse(block('service_healthy'))
  expect(services.tests.depends_on).toEqual({ mock: { condition: 'service_healthy' } })
  const [, command = '[]'] =
    readFileSync(join(root, 'Dockerfile'), 'utf8').match(/^HEALTHCHECK .* CMD (\[.*\])$/m) ?? []
  const [program, ...args] = JSON.parse(command) as string[]
  expect(program).toBe('countersign')
  const mock = await startMock({ port: 0 })
  const env = { COUNTERSIGN_PORT: String(new URL(mock.url).port) }
  expect((await run(args, env)).code).toBe(0)
  await mock.close()
  expect((await run(args, env)).code).not.toBe(0)
})

test('the probes of Kubernetes succeed as kubelet sends them', async () => {
  const mock = await startMock({ port: 0, host: '0.0.0.0', adminToken: 'kubelet-has-none' })
  onTestFinished(() => mock.close())
  const { containers } = parse(block('readinessProbe'))
  for (const probe of nonEmpty(['readinessProbe', 'livenessProbe'])) {
    const { path, port } = containers[0][probe].httpGet
    expect(containers[0].ports).toEqual([{ containerPort: port }])
    const headers = { 'User-Agent': 'kube-probe/1.34', Accept: '*/*', Connection: 'close', Host: `10.244.1.7:${port}` }
    const status = await new Promise((resolve) => {
      get({ host: '127.0.0.1', port: new URL(mock.url).port, path, headers }, (answer) => resolve(answer.statusCode))
    })
    expect(status, probe).toBe(200)
  }
})
