/**
 * Prints the failed tests of the run in `.vitest`, each with its message, errors outside of tests, the number of its tests and the
 * steps of CI that failed. It is the end of the output of CI, which is all that is left of a long one.
 */
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

/** What Vitest's JSON reporter writes. */
interface Results {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

const path = '.vitest/results.json'
const results = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Results) : undefined
if (!results) print(`${path} is missing, so the tests did not end.`)
for (const failure of results ? failuresIn(results) : []) print(`\nFAIL ${failure}`)
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

function failuresIn({ testResults }: Results): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(process.cwd(), name)
    const failed = assertionResults.filter((one) => one.status === 'failed')
    // A file that cannot be loaded has no tests.
    if (status === 'failed' && failed.length === 0) return [`${file}\n${message}`]
    return failed.map(
      ({ fullName, failureMessages }) =>
        `${file}: ${fullName}\n${failureMessages.join('\n').split('\n', 12).join('\n')}`,
    )
  })
}
