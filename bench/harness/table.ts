import { type Finding, isReached, rounded } from './row.ts'

const head = ['row', 'what', 'beside', 'ours', 'theirs', 'figure', 'from … to', 'goal', '']

/** The findings as a Markdown table, aligned so that it can be read as it is. */
export function tableOf(findings: readonly (Finding & { readonly row: string })[]): string {
  const lines = findings.map((finding) => {
    const { row, what, beside = '', ours = '', theirs = '', figure, unit } = finding
    const range = `${rounded(figure.lowest)} … ${rounded(figure.highest)}`
    return [
      row,
      what,
      beside,
      ours,
      theirs,
      `${rounded(figure.median)} ${unit}`,
      range,
      goalOf(finding),
      verdictOf(finding),
    ]
  })
  const widths = head.map((title, column) => Math.max(title.length, ...lines.map((line) => line[column]?.length ?? 0)))
  const format = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [format(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...lines.map(format)].join('\n')
}

function goalOf({ goal }: Finding): string {
  if (!goal) return ''
  return 'atLeast' in goal ? `at least ${goal.atLeast}` : `at most ${goal.atMost}`
}

function verdictOf(finding: Finding): string {
  if (!finding.goal) return ''
  return isReached(finding) ? 'reached' : 'missed'
}
