import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const folder = new URL('../../dist/console/', import.meta.url)

test('the console weighs at most 40 kB', () => {
  const files = readdirSync(folder).filter((name) => /\.(html|js|css)$/.test(name))
  const bytes = files.map((name) => gzipSync(readFileSync(new URL(name, folder))).byteLength)
  const sum = bytes.reduce((all, one) => all + one, 0)
  process.stdout.write(`The console: ${(sum / 1000).toFixed(1)} kB gzip\n`)
  expect(files).toHaveLength(3)
  expect(sum).toBeLessThan(40_000)
})
