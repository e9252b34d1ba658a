/**
 * Prints the failed tests of the run in `.vitest`, each with its message, errors outside of tests, the number of its tests and the
 * steps of CI that failed. It is the end of the output of CI, which is all that is left of a long one.
 */
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { readTestResults } from './test-results.ts'

const path = '.vitest/results.json'
const results = readTestResults(path)
if (!results) print(`${path} is missing, so the tests did not end.`)
for (const { file, title, message } of results?.failures ?? []) {
  const at = relative(process.cwd(), file)
  print(`\nFAIL ${title ? `${at}: ${title}\n${message.split('\n', 12).join('\n')}` : `${at}\n${message}`}`)
}
for (const line of outsideOfTests()) print(line)
print(`${results?.numPassedTests ?? 0} passed, ${results?.numFailedTests ?? 1} failed`)
process.stdout.write(textOf('.vitest/failed.txt'))

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Returns what Vitest says of errors that no test has thrown. They fail the run, and its JSON does not hold them. */
function outsideOfTests(): string[] {
  const lines = textOf('.vitest/tests.log').split('\n')
  const at = lines.findIndex((line) => line.includes('Unhandled Error'))
  return at === -1 ? [] : lines.slice(at, at + 40)
}

function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
