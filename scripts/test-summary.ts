/**
 * Prints the failed tests of the runs in `.vitest`, each with its message, and the slowest files and the number of tests of the first
 * run. It is the end of the output of CI, which is all that is left of a long one.
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
    /** When its first test began and its last one ended, in milliseconds. */
    readonly startTime: number
    readonly endTime: number
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

const runs = ['results.json', 'results-22.json', 'results-24.json'].map((name) => ({ name, results: read(name) }))
for (const { name, results } of runs) {
  if (!results) print(`.vitest/${name} is missing, so this run did not end.`)
  for (const failure of results ? failuresIn(results) : []) print(`\nFAIL ${failure}`)
}
const [all] = runs
print('\nSeconds of the slowest files:')
for (const line of slowest(all?.results?.testResults ?? [])) print(line)
print(`${all?.results?.numPassedTests ?? 0} passed, ${all?.results?.numFailedTests ?? 1} failed`)

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function read(name: string): Results | undefined {
  const path = `.vitest/${name}`
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Results) : undefined
}

/** Returns a line for each of the ten files that took longest. */
function slowest(files: Results['testResults']): string[] {
  const timed = files.map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }))
  const most = timed.sort((a, b) => b.seconds - a.seconds).slice(0, 10)
  return most.map(({ name, seconds }) => `${seconds.toFixed(0).padStart(5)} ${relative(process.cwd(), name)}`)
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
