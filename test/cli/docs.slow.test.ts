import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasSamples, withServer } from '../../src/node/docs-marks.ts'
import { deployment } from '../learn/deployment.ts'
import { mustFail, runHere, runWith, start } from '../support/command.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { type Files, folderOf } from '../support/scratch.ts'

const titles = 'admin errors guides index questions search traceability troubleshooting'
const html = titles.split(' ').map((name) => `${name}.html`)
const styles = html.map((name) => name.replace('html', 'css'))
const pages = [...html, 'minisearch.LICENSE.txt', 'openapi.yaml']

/** Writes the documentation into the folder of a test, with other files in it. */
async function written(flags: readonly string[] = [], files: Files = {}) {
  const { code, stdout, stderr, folder, read } = await runWith(files, ['docs', '--out', 'a/b', ...flags])
  expect([code, stderr]).toEqual([0, ''])
  const names = () => readdirSync(join(folder, 'a/b'))
  return { folder, stdout, names, read: (name: string) => read('a/b', name) }
}

test('it writes the pages and the licences into a folder that it creates', async () => {
  const { stdout, names } = await written()
  expect(stdout).toContain('a/b/index.html')
  const ofRedoc = names().filter((name) => name.startsWith('redoc.'))
  expect(ofRedoc).toHaveLength(2)
  expect(names().sort()).toEqual([...pages, ...styles, ...ofRedoc].sort())
})

test('without a folder it takes docs-site', async () => {
  const { code, folder } = await runWith({}, ['docs'])
  expect(code).toBe(0)
  expect(readdirSync(join(folder, 'docs-site'))).toEqual(expect.arrayContaining(pages))
})

test('a folder that cannot be written is one line and an exit code of its own', async () => {
  const complaint = /^The documentation cannot be written to \S+: .+\. Choose another folder with --out\.\n$/
  await mustFail(runWith({ file: '' }, ['docs', '--out', 'file']), 4, complaint)
})

test('a running mock prints where its documentation is, and serves its pages', async () => {
  const { child, printed, ended } = start(['mock', '--port', '0'])
  const [, address = ''] = (await printed('/docs/\n')).match(/documentation is at (\S+)/) ?? []
  for (const name of [...pages, 'try.html']) {
    const served = await (await fetch(new URL(name, address))).text()
    const built = readFileSync(new URL(`../../dist/docs/${name}`, import.meta.url), 'utf8')
    const expected = hasSamples(name) ? withServer(built, new URL(address).origin, 'test_demo') : built
    expect(served === expected, name).toBe(true)
  }
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
})

test('with a profile it shows the answers of its deployment', async () => {
  const questions = { 'gap.success-statuses': 'create 200, <read> 200' }
  const like = { ...deployment, learned: { at: '2026-03-01T09:00:00.000Z', answers: 40, questions } }
  const { read: page } = await written(['--like', 'profile.json'], { 'profile.json': like })
  const definition = /const __redoc_definition = (.*);\n/.exec(page('index.html'))?.[1] ?? '{}'
  expect(JSON.parse(definition).paths['/api/v1/workflows'].post.responses['200'].description).toMatch(
    /\[learned: success-statuses\]\(questions\.html#gap\.success-statuses\)/,
  )
  // The end of a script in an answer does not end the script of the page.
  expect(definition).toContain('\\u003c/script>')
  expect(definition).not.toContain('</script>')
  expect(page('questions.html')).toContain('<dt>This deployment</dt><dd>create 200, &lt;read&gt; 200</dd>')
  expect(page('overlay.yaml')).toMatch(/^overlay: 1\.1\.0\n/)
  expect(page('openapi.yaml')).toContain('x-learned: true')
})

const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0])

test('without a server there is no page that sends calls, and no link to it', async () => {
  const { folder, names, read } = await written()
  writeFileSync(join(folder, 'a/b/try.html'), 'of an earlier run')
  await runHere(['docs', '--out', 'a/b'], {}, folder)
  expect(names()).not.toContain('try.html')
  for (const name of nonEmpty(html)) expect(read(name)).not.toMatch(/\(try\.html|href="try\.html/)
})

test.each([
  ['logo.svg', svg, 'image/svg+xml'],
  ['logo.PNG', png, 'image/png'],
  ['logo.jpeg', jpeg, 'image/jpeg'],
])('the title and %s are embedded in every page', async (name, content, type) => {
  const flags = ['--title', 'Ink & <Co>', '--logo', name, '--server-url', 'https://ink.example']
  const { read } = await written(flags, { [name]: content })
  const source = `data:${type};base64,${Buffer.from(content).toString('base64')}`
  for (const page of nonEmpty([...html, 'try.html'])) {
    expect(read(page)).toContain(`<span class="brand"><img src="${source}" alt="">Ink &amp; &lt;Co&gt;</span>`)
    expect(read(page)).toContain(' - Ink &amp; &lt;Co&gt;</title>')
    expect(read(page)).toMatch(/img-src data:/)
  }
})

test('the URL of a server is in the reference, in its samples and in the contract', async () => {
  const { read } = await written(['--server-url', 'https://ink.example/approvals/'])
  for (const page of nonEmpty(['index.html', 'openapi.yaml', 'try.html', 'errors.html'])) {
    expect(read(page)).toContain('https://ink.example/approvals')
    expect(read(page)).not.toMatch(/127\.0\.0\.1:4010/)
  }
  const reference = read('index.html')
  expect(reference).toContain('\\"https://ink.example/approvals/api/v1/workflows\\"')
  expect(reference).toContain("baseUrl: 'https://ink.example/approvals'")
  expect(reference).not.toContain('COUNTERSIGN_URL')
  expect(read('errors.html')).toContain('export COUNTERSIGN_URL=https://ink.example/approvals ')
  expect(read('try.html')).toContain('<meta name="server" content="https://ink.example/approvals">')
})

test('the admin API stays at the mock, which pages of other origins cannot steer', async () => {
  const { read } = await written(['--server-url', 'https://ink.example'])
  expect(read('admin.html')).toContain('"url":"http://127.0.0.1:4010"')
  expect(read('admin.html')).not.toContain('(try.html')
  // So do the guides: they tell readers to start one.
  expect(read('guides.html')).toContain('<code>http://127.0.0.1:4010/</code>, its console')
})

test.each([
  [['--like', 'none.json'], 'The profile none.json does not exist.'],
  [['--logo', 'none.svg'], 'The logo none.svg does not exist. Pass an SVG, PNG or JPEG file with --logo.'],
  [['--logo', 'logo.gif'], 'The logo logo.gif is none of .svg, .png, .jpg and .jpeg. Pass such a file with --logo.'],
  [['--logo', 'big.png'], 'The logo big.png has 501 kB. Pass a file of up to 500 kB with --logo.'],
  [['--logo', 'false.png'], 'The logo false.png is not image/png, whatever its name says. Pass an image with --logo.'],
  [['--logo', 'folder.png'], 'The logo folder.png is a folder. '],
  [['--title', ' '], 'Use 1 to 100 characters.'],
  [['--server-url', 'ink.example'], 'Use a URL that starts with http:// or https://.'],
  [['--server-url', 'https://ink.example/$(id)'], 'Use only letters, digits and the characters . - _ ~ % in the URL.'],
  [['--server-url', 'https://ink.example/api/v1/'], 'Leave out /api/v1: the paths of the API begin with it.'],
])('%j is refused at once', async (flags, message) => {
  const folder = folderOf({ 'big.png': Buffer.concat([png, Buffer.alloc(500_001)]), 'false.png': svg })
  mkdirSync(join(folder, 'folder.png'))
  await mustFail(runHere(['docs', ...flags], {}, folder), 3, message)
  expect(readdirSync(folder)).not.toContain('docs-site')
})
