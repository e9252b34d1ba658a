import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { SlowFirst } from './test/setup/slow-first.ts'
import { StillRunning } from './test/setup/still-running.ts'
import { findChromium } from './test/support/chromium.ts'
import { findPostgres } from './test/support/find-postgres.ts'
import { findSwift } from './test/support/find-swift.ts'

const slow = 'test/**/*.slow.test.ts'
const browser = 'test/browser/**/*.test.ts'
const titles = 'test/setup/short-titles.ts'

/** `npm test` runs the quick tests, `npm run test:all` all of them. */
export default defineConfig({
  test: {
    // SlowFirst runs them in this order.
    projects: [
      project('slow', [slow, browser], {
        env: { GATE_SAMPLE: process.env.GATE_SAMPLE ?? 'all' },
        exclude: [
          ...configDefaults.exclude,
          ...(hasChromium() ? [] : [browser]),
          ...(hasPostgres() ? [] : ['test/postgres/**']),
          ...(hasSwift() ? [] : ['test/swift/**']),
        ],
      }),
      'examples/vitest-node',
      'examples/like-a-deployment',
      project('quick', ['test/**/*.test.ts'], {
        exclude: [...configDefaults.exclude, slow, browser],
        setupFiles: [titles, 'test/setup/few-cases.ts'],
        testTimeout: 30_000,
        hookTimeout: 30_000,
      }),
    ],
    maxWorkers: 2,
    sequence: { shuffle: true, sequencer: SlowFirst },
    reporters: ['default', 'json', new StillRunning()],
    outputFile: { json: '.vitest/results.json' },
    // A second run need not compile what has not changed.
    experimental: { fsModuleCache: true, fsModuleCachePath: '.vitest/modules' },
  },
})

function project(
  name: string,
  include: string[],
  more: TestProjectInlineConfiguration['test'] = {},
): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      include,
      setupFiles: titles,
      sequence: { shuffle: true },
      // Tests share no state, so each worker loads the modules once.
      isolate: false,
      // These limits end tests that hang. No test measures speed.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      expect: { poll: { timeout: 60_000 } },
      ...more,
    },
  }
}

/** Says that some tests are left out if a program is missing; on CI that is an error. */
function isThere(found: string | undefined, program: string, tests: string, cure: string): boolean {
  if (found || process.argv.includes('--project=quick')) return true
  if (process.env.CI === 'true') throw new Error(`${program} is missing, so the ${tests} cannot run. ${cure}`)
  process.stderr.write(`${program} is missing, so the ${tests} are left out. ${cure}\n`)
  return false
}

function hasChromium(): boolean {
  const cure = 'Install it (Debian: apt-get install chromium-headless-shell) or set CHROMIUM to its path.'
  return isThere(findChromium(), 'Chromium', 'browser tests', cure)
}

function hasPostgres(): boolean {
  const cure = 'Install it (Debian: apt-get install postgresql) or set POSTGRES_BIN to the folder of its programs.'
  return isThere(findPostgres(), 'PostgreSQL', 'tests of several mocks', cure)
}

function hasSwift(): boolean {
  const cure = 'Install it (Debian: apt-get install python3-swift) or set SWIFT_PYTHON to a Python that has it.'
  return isThere(findSwift(), 'OpenStack Swift', 'tests with an S3 store', cure)
}
