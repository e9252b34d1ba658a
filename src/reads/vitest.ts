/**
 * Records what the code under test reads, in Vitest.
 *
 * @module countersign/reads/vitest
 */
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, type RunnerTestSuite } from 'vitest'
import { requireKnownOptions } from '../known-options.ts'
import { type Reads, trackReads } from './index.ts'
import { flawOfReads, mergeReads, type ReadsFile, textOfReads, withoutTestsOf } from './reads-file.ts'

export type { Reads }

/** Options of {@link recordReads}. */
export interface RecordOptions {
  /**
   * The file, relative to the folder in which Vitest was started. All test files add what they read, in whatever process they run.
   *
   * @default 'reads.json'
   * @example `{ file: 'test/reads.json' }`
   */
  readonly file?: string
  /**
   * Base address of the service. Answers from other addresses are left alone.
   *
   * @default any address with a path of the contract
   * @example `{ baseUrl: 'https://approvals.example' }`
   */
  readonly baseUrl?: string
}

const recordOptionNames: Readonly<Record<keyof RecordOptions, true>> = { file: true, baseUrl: true }

/**
 * Records what the tests of a file read of the service's answers, and adds it to `reads.json` when they have ended. To be called
 * once in each test file, best by a setup file of Vitest. What a test file read in an earlier run is replaced.
 *
 * @example
 * ```js
 * // test/setup.js, named in setupFiles of vitest.config.js
 * import { recordReads } from 'countersign/reads/vitest'
 *
 * const reads = recordReads()
 * console.log(reads.places().length) // 0
 * ```
 */
export function recordReads(options: RecordOptions = {}): Reads {
  requireKnownOptions(options, recordOptionNames)
  const { file = 'reads.json', baseUrl } = options
  const { testPath = '' } = expect.getState()
  const path = resolve(file)
  // Relative to the file, so that it is the same wherever Vitest was started.
  const testFile = relative(dirname(path), testPath).replaceAll('\\', '/')
  const reader = () => {
    const { currentTestName } = expect.getState()
    return currentTestName ? `${testFile} > ${currentTestName}` : testFile
  }
  const reads = trackReads({ reader, ...(baseUrl !== undefined && { baseUrl }) })
  // biome-ignore lint/correctness/noEmptyPattern: Vitest accepts no other first parameter
  afterAll(async ({}, suite?: Pick<RunnerTestSuite, 'tasks'>) => {
    reads.stop()
    // After a run of some tests, such as with -t, the others still read what they did before.
    const replaced = !suite || isComplete(suite) ? testFile : undefined
    await addReads(path, replaced, { version: 1, places: reads.places() })
  }, 60_000)
  return reads
}

/** Returns true if no test of a suite was left out. */
function isComplete({ tasks }: Pick<RunnerTestSuite, 'tasks'>): boolean {
  return tasks.every((task) => (task.type === 'suite' ? isComplete(task) : task.mode === 'run'))
}

/** Adds reads to a file, in place of what the tests of `testFile` read before. Several processes may do so at the same time. */
async function addReads(path: string, testFile: string | undefined, reads: ReadsFile): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const unlock = await lock(`${path}.lock`)
  try {
    const before = await readsAt(path)
    const text = textOfReads(mergeReads([testFile === undefined ? before : withoutTestsOf(before, testFile), reads]))
    const part = `${path}.part`
    await writeFile(part, text)
    await rename(part, path)
  } finally {
    await unlock()
  }
}

async function readsAt(path: string): Promise<ReadsFile> {
  let reads: unknown
  try {
    reads = JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    if (isCode(error, 'ENOENT')) return { version: 1, places: [] }
    if (!(error instanceof SyntaxError)) throw error
  }
  const flaw = flawOfReads(reads)
  if (flaw) throw new Error(`${path} cannot be used: ${flaw}. Delete it, and run the tests again.`)
  return reads as ReadsFile
}

/** The number of times that a lock is found before it counts as left behind by a process that ended meanwhile, 10 ms apart. */
const mostTries = 200

/** Creates a lock file as soon as no other process has it. Returns a function that removes it. */
async function lock(path: string): Promise<() => Promise<void>> {
  let [made, tries] = ['', 0]
  for (;;) {
    try {
      await (await open(path, 'wx')).close()
      return () => rm(path, { force: true })
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
    }
    // Tests may have replaced the clock, so tries are counted.
    const found = await stat(path).then(
      ({ ino, mtimeMs }) => `${ino} ${mtimeMs}`,
      () => '',
    )
    tries = found === made ? tries + 1 : 0
    made = found
    if (tries > mostTries) await rm(path, { force: true })
    await sleep(10)
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
