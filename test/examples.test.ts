import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'

test('the example’s worker script is that of the installed MSW', () => {
  const installed = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js')
  const ours = new URL('../examples/vite-react/public/mockServiceWorker.js', import.meta.url)
  expect(readFileSync(ours, 'utf8')).toBe(readFileSync(installed, 'utf8'))
})
