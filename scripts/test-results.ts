import { existsSync, readFileSync } from 'node:fs'
import type { JsonTestResults } from 'vitest/node'

/** A failed test, or a file that cannot be loaded, which has no title. */
export interface FailedTest {
  readonly file: string
  readonly title: string
  readonly message: string
}

/** Reads what Vitest's JSON reporter has written: the number of tests that passed and failed, and those that failed. Undefined without a file. */
export function readTestResults(path: string) {
  if (!existsSync(path)) return undefined
  const { numPassedTests, numFailedTests, testResults }: JsonTestResults = JSON.parse(readFileSync(path, 'utf8'))
  const failures = testResults.flatMap(({ name: file, status, message, assertionResults }): FailedTest[] => {
    const failed = assertionResults.filter((one) => one.status === 'failed')
    // A file that cannot be loaded has no tests.
    if (status === 'failed' && failed.length === 0) return [{ file, title: '', message }]
    return failed.map((one) => ({ file, title: one.fullName, message: one.failureMessages?.join('\n') ?? '' }))
  })
  return { numPassedTests, numFailedTests, failures }
}
