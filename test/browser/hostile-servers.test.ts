import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { hostile } from '../../conformance/selftest/hostile.ts'
import { sharedBrowser, unfold, watchedPage } from '../support/browser.ts'
import { run } from '../support/command.ts'
import { forbidden } from '../support/markup.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { rotated } from '../support/sample.ts'
import { serve } from '../support/serve.ts'

/** Runs the suite as users do, with short time limits, and checks its reports. Returns the exit code. */
async function mustStaySafe(url: string): Promise<number | null> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'))
  const flags = '--settle 0s --request-timeout 500ms --report json,junit,html'.split(' ')
  const env = { COUNTERSIGN_API_KEY: 'test_hostile' }
  const { code, stdout, stderr } = await run(['conformance', '--url', url, ...flags], env, folder)
  expect(stdout + stderr).not.toMatch(forbidden)
  expect(stderr).toMatch(code === 4 ? /^http.* cannot be reached .*\n$/ : /^$/)
  const reports = join(folder, 'conformance-report')
  // Only the requested reports are written, even if the server sends names of files.
  expect(readdirSync(folder)).toEqual(code === 4 ? [] : ['conformance-report'])
  if (existsSync(reports)) {
    expect(readdirSync(reports).sort()).toEqual(['junit.xml', 'report.css', 'report.html', 'report.json'])
    expect(readFileSync(join(reports, 'junit.xml'), 'utf8')).not.toMatch(forbidden)
    await mustBeInert(join(reports, 'report.html'))
  }
  rmSync(folder, { recursive: true })
  return code
}

/** Opens a report with all details unfolded. */
async function mustBeInert(file: string): Promise<void> {
  const context = await (await sharedBrowser()).newContext()
  const { page, requests, complaints } = await watchedPage(context)
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  const address = pathToFileURL(file).href
  const style = address.replace('report.html', 'report.css')
  await page.goto(address)
  await unfold(page)
  await page.screenshot()
  expect({ dialogs, requests, complaints }).toEqual({ dialogs: [], requests: [address, style], complaints: [] })
  const foreign = 'script, iframe, object, embed, base, form, [src], [onerror], [onload], a[href^="javascript:"]'
  expect(await page.locator(foreign).count()).toBe(0)
  await context.close()
}

/** Over HTTP an empty chunk ends the body, so the server of empty chunks exists only as a function. */
const overHttp = rotated(hostile.filter(({ id }) => id !== 'empty-pieces'))

// The servers keep the suite waiting, so several runs go on at once.
test.concurrent.each(nonEmpty(overHttp))(
  '$id over HTTP: the run ends, not green, with inert reports',
  async ({ create }) => {
    const { url, close } = await serve(create())
    expect(await mustStaySafe(url)).toBeOneOf([1, 2, 4])
    close()
  },
)

/** A gigabyte of zeros, compressed in parts that decompress as one. */
const bomb = Buffer.concat(new Array<Buffer>(1024).fill(gzipSync(Buffer.alloc(1024 * 1024))))

/** Answers every request in a way that needs a server of its own. */
const raw: [string, RequestListener][] = [
  [
    'a gzip bomb of a gigabyte',
    (_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).end(bomb),
  ],
  [
    'a thousand redirects',
    ({ url = '' }, response) => {
      const hop = Number(url.match(/hop=(\d+)/)?.[1] ?? 0)
      response.writeHead(307, { Location: hop < 1000 ? `/?hop=${hop + 1}` : '/' }).end()
    },
  ],
  ['headers that never end', (_, { socket }) => void drip(socket, 'HTTP/1.1 200 OK\r\n', 'X-More: 1\r\n')],
  ['a status line that never ends', (_, { socket }) => void drip(socket, 'HTTP/1.1 200 ', 'OK')],
  ['no HTTP at all', (_, { socket }) => void socket?.end('\u001b]0;owned\u0007<script>alert(1)</script>')],
]

function drip(socket: Socket | null, head: string, drop: string): void {
  socket?.write(head)
  const timer = setInterval(() => socket?.write(drop), 20)
  socket?.on('close', () => clearInterval(timer))
}

test.concurrent.each(raw)('%s: the run ends, not green, with inert reports', async (_, answer) => {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const code = await mustStaySafe(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  expect(code).toBeOneOf([1, 2, 4])
  server.closeAllConnections()
  server.close()
})
