import { type Finding, formatFigure, isReached } from './row.ts'

const head = ['row', 'what', 'beside', 'ours', 'theirs', 'figure', 'from … to', 'goal', '']

/** Formats the findings as an aligned Markdown table. */
export function tableOf(findings: readonly (Finding & { readonly row: string })[]): string {
  const lines = findings.map((finding) => {
    const { row, what, beside = '', ours = '', theirs = '', figure, unit } = finding
    const range = `${formatFigure(figure.lowest)} … ${formatFigure(figure.highest)}`
    return [
      row,
      what,
      beside,
      ours,
      theirs,
      `${formatFigure(figure.median)} ${unit}`,
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
