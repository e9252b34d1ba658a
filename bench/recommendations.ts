/**
 * Measures whether recommendations keep their predictions. For each type: simulates, applies the recommendation, simulates
 * again with the same arrivals, and compares the change of the mean completion time with the prediction. `--json` prints JSON;
 * `--wide` measures other loads and spreads, without goals. Exits 1 if a type misses its goal.
 */
import { measure, type Result } from './recommendations/measure.ts'
import { scenarios } from './recommendations/scenarios.ts'

const goal = { rightSign: 0.95, error: 0.25 }
const seeds = 20
const types = Object.keys(scenarios) as (keyof typeof scenarios)[]
const asJson = process.argv.includes('--json')
const wide = process.argv.includes('--wide')

const results = types.flatMap((type) => {
  if (!wide) return measure(type, { load: scenarios[type].load, spread: scenarios[type].spread }, seeds)
  return [0.3, 0.6, 0.9].flatMap((load) => [0.2, 0.7, 1].map((spread) => measure(type, { load, spread }, seeds)))
})

process.stdout.write(asJson ? `${JSON.stringify({ goal, results }, undefined, 2)}\n` : tableOf(results))
if (!wide && !results.every(isMet)) process.exitCode = 1

function isMet({ rightSign, error }: Result): boolean {
  return rightSign >= goal.rightSign * seeds && error.median <= goal.error
}

function tableOf(rows: readonly Result[]): string {
  const head = ['type', 'load', 'spread', 'made', 'sign', 'mean', 'predicted', 'actual', 'error', 'quartiles', 'goal']
  const lines = rows.map((row) => [
    row.type,
    String(row.load),
    String(row.spread),
    `${row.made}/${row.seeds}`,
    `${row.rightSign}/${row.seeds}`,
    ...(row.made === 0 ? ['', '', '', '', ''] : figuresOf(row)),
    isMet(row) ? 'met' : 'missed',
  ])
  const widths = head.map((title, column) => Math.max(title.length, ...lines.map((line) => line[column]?.length ?? 0)))
  const format = (line: readonly string[]) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  const note =
    'Minutes are medians over the seeds. The error of re-estimate-step is a share of the mean completion time.'
  return `${[head, ...lines].map((line) => format(line).trimEnd()).join('\n')}\n\n${note}\n`
}

function figuresOf({ meanMinutes, predicted, actual, error }: Result): string[] {
  const minutes = [meanMinutes, predicted, actual].map((value) => value.toFixed(1))
  return [...minutes, percent(error.median), `${percent(error.lower)} to ${percent(error.upper)}`]
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
