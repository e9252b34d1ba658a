import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { deployment } from '../learn/deployment.ts'
import { run, start } from '../support/command.ts'

const scratch = mkdtempSync(join(tmpdir(), 'countersign-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const pages = ['errors.html', 'index.html', 'openapi.yaml', 'questions.html', 'traceability.html']

test('it writes the pages and the licences into a folder that it creates', async () => {
  const folder = join(scratch, 'a', 'b')
  const { code, stdout, stderr } = await run(['docs', '--out', folder])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain(`${folder}/index.html`)
  const names = readdirSync(folder)
  expect(names.filter((name) => !name.startsWith('redoc.')).sort()).toEqual(pages)
  expect(names.filter((name) => name.startsWith('redoc.'))).toHaveLength(2)
})

test('without a folder it takes docs-site', async () => {
  const { code } = await run(['docs'], {}, scratch)
  expect(code).toBe(0)
  expect(readdirSync(join(scratch, 'docs-site'))).toEqual(expect.arrayContaining(pages))
})

test('a folder that cannot be written is one line and an exit code of its own', async () => {
  const file = join(scratch, 'file')
  writeFileSync(file, '')
  const { code, stdout, stderr } = await run(['docs', '--out', file])
  expect([code, stdout]).toEqual([4, ''])
  expect(stderr).toMatch(/^The documentation cannot be written to \S+: .+\. Choose another folder with --out\.\n$/)
})

test('a running mock says where its documentation is, and serves the same pages', async () => {
  const { child, printed, ended } = start(['mock', '--port', '0'])
  const [, address = ''] = (await printed('/docs/\n')).match(/documentation is at (\S+)/) ?? []
  for (const name of pages) {
    const served = await (await fetch(new URL(name, address))).text()
    expect(served === readFileSync(new URL(`../../dist/docs/${name}`, import.meta.url), 'utf8'), name).toBe(true)
  }
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
})

test('with a profile it shows the answers of its deployment', async () => {
  const [folder, profile] = [join(scratch, 'like'), join(scratch, 'profile.json')]
  writeFileSync(profile, JSON.stringify(deployment))
  const { code, stderr } = await run(['docs', '--out', folder, '--like', profile])
  expect([code, stderr]).toEqual([0, ''])
  const page = (name: string) => readFileSync(join(folder, name), 'utf8')
  const definition = /const __redoc_definition = (.*);\n/.exec(page('index.html'))?.[1] ?? '{}'
  expect(JSON.parse(definition).paths['/api/v1/workflows'].post.responses['200'].description).toMatch(
    /\[learned: success-statuses\]\(questions\.html#gap\.success-statuses\)/,
  )
  // The end of a script in an answer does not end the script of the page.
  expect(definition).toContain('\\u003c/script>')
  expect(definition).not.toContain('</script>')
  expect(page('questions.html')).toContain(
    '<dt>This deployment</dt><dd><ul class="plain"><li><code>createWorkflow: 200',
  )
  expect(page('questions.html')).not.toContain('<b>"&')
  expect(page('overlay.yaml')).toMatch(/^overlay: 1\.1\.0\n/)
  expect(page('openapi.yaml')).toContain('x-learned: true')
})

test('a profile that cannot be read is one line', async () => {
  const { code, stderr } = await run(['docs', '--like', join(scratch, 'none.json'), '--out', join(scratch, 'none')])
  expect(code).toBe(3)
  expect(stderr).toMatch(/^The profile cannot be read: .*\n$/)
})
