import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { nonEmpty } from '../support/non-empty.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Returns the groups that a pattern finds in a file, without the commas and underscores of long numbers. */
function found(path: string, pattern: RegExp): string[] {
  const groups =
    readFileSync(root + path, 'utf8')
      .match(pattern)
      ?.slice(1) ?? []
  return groups.map((group) => group.replaceAll(/[,_]/g, ''))
}

const [transport, options, json, http] = [
  'conformance/wire/transport.ts',
  'cli/options.ts',
  'src/wire/json.ts',
  'src/node/http.ts',
]

/** Figures of pages, and where the program has them. */
const figures: readonly [page: string, shown: RegExp, source: string, real: RegExp][] = [
  ['docs/limits.md', /sends at most (\d+) requests/, transport, /defaultMaxRequests = ([\d_]+)/],
  ['docs/limits.md', /ends after (\d+) seconds/, transport, /defaultMaxMs = ([\d_]+)_000/],
  ['docs/limits.md', /\| ([\d,]+) MiB \| `--max-upload-size`/, options, /maxUploadSize: \{[^}]*size\('(\d+)MiB/],
  ['docs/limits.md', /\| ([\d,]+) MiB; beyond it, only/, options, /maxStoredBytes: \{[^}]*size\('(\d+)MiB/],
  ['docs/limits.md', /\| ([\d,]+), about 5 KiB each/, options, /maxExecutions: \{[^}]*default: ([\d_]+)/],
  ['docs/limits.md', /([\d,]+) items in an array/, json, /maxItems = ([\d_]+)/],
  ['docs/limits.md', /, ([\d,]+) values \| \|\n\| a file/, json, /maxValues = ([\d_]+)/],
  ['docs/limits.md', /([\d,]+) values \| \|\n\| headers/, 'cli/input.ts', /mostValues = ([\d_]+)/],
  [
    'docs/limits.md',
    /(\d+) s, (\d+) s, (\d+) s/,
    http,
    /headersMs = ([\d_]+)_000, bodyMs = ([\d_]+)_000, fileMs = ([\d_]+)_000/,
  ],
  ['docs/troubleshooting.md', /A run has (\d+) seconds/, transport, /defaultMaxMs = ([\d_]+)_000/],
  ['docs/troubleshooting.md', /`--request-timeout`, which is (\d+) s/, options, /values\.seconds,\s+default: (\d+)/],
]

test.each(nonEmpty(figures.map((row, place) => [place, ...row] as const)))(
  'the figure %i of %s is right',
  (_, page, shown, source, real) => {
    const values = found(source, real)
    expect(values.length).toBeGreaterThan(0)
    expect(found(page, shown)).toEqual(values)
  },
)

test('CONTRIBUTING counts the small mistakes that are tried', () => {
  const mistakes = readFileSync(`${root}scripts/breaks.yaml`, 'utf8').match(/^- \{/gm) ?? []
  expect(found('CONTRIBUTING.md', /of its (\d+) mistakes/)).toEqual([String(mistakes.length)])
})
