import { gap } from '../catalogue.ts'
import type { CheckResult, RunResult } from '../result.ts'

/** One check as a line; what passed is brief. */
export function checkLine({ id, section, verdict, message }: CheckResult): string {
  return clean(`${verdict.padEnd(13)} ${id} (section ${section})${verdict === 'pass' ? '' : `: ${message}`}`)
}

/** The end of a run: answers to open questions, and the verdict. */
export function summary({ url, verdict, durationMs, checks, gaps }: RunResult): string {
  const differing = gaps.filter(({ sameAsOurs }) => !sameAsOurs)
  const counts = [...new Set(checks.map((check) => check.verdict))].map(
    (found) => `${checks.filter((check) => check.verdict === found).length} ${found}`,
  )
  const lines = [
    `${gaps.length} open questions answered, ${differing.length} unlike the reference.`,
    ...differing.map(({ id, observed }) => `  ${gap(id).question} Here: ${observed}.`),
    `${url} is ${verdict}: ${counts.join(', ')} in ${durationMs} ms.`,
  ]
  return lines.map(clean).join('\n')
}

/** Takes out what a terminal would obey instead of show; servers choose part of the text. */
function clean(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replaceAll(/[\x00-\x1f\x7f-\x9f]/g, '�')
}
