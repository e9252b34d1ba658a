import { noBaseline } from '../judging/baseline.ts'
import { escapeMarkup, showHiddenInLines } from '../wire/inert.ts'
import { type Case, casesOf } from './cases.ts'
import type { RunResult } from './result.ts'

/**
 * Writes `junit.xml`, in the dialect that CI systems share: `testsuites`, one `testsuite` per area, `testcase`. It is
 * green if and only if the deployment conforms.
 */
export function junitReport(result: RunResult, baseline = noBaseline): string {
  const cases = casesOf(result, baseline)
  const areas = [...new Set(cases.map(({ area }) => area))]
  const suites = areas.map((area, place) => suite(area, cases, place === 0 ? result : { ...result, notes: [] }))
  const totals = `tests="${cases.length}" ${sums(cases)} time="${seconds(result.durationMs)}"`
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="countersign conformance" ${totals}>
${suites.join('\n')}
</testsuites>
`
}

function suite(area: string, all: readonly Case[], { url, runId, startedAt, notes }: RunResult): string {
  const cases = all.filter((each) => each.area === area)
  const skipped = cases.filter(({ outcome }) => outcome?.tag === 'skipped').length
  const time = seconds(cases.reduce((sum, { durationMs }) => sum + durationMs, 0))
  // The dialect's schemas have no time zone. The time is in UTC.
  const when = startedAt.slice(0, 19)
  return `  <testsuite${xmlAttributes({ name: area, tests: cases.length })} ${sums(cases)} skipped="${skipped}"${xmlAttributes({ time, timestamp: when })}>
    <properties>
      <property name="url"${xmlAttributes({ value: url })}/>
      <property name="run"${xmlAttributes({ value: runId })}/>${notes.map((note) => `\n      <property name="note"${xmlAttributes({ value: note })}/>`).join('')}
    </properties>
${cases.map(testcase).join('\n')}
  </testsuite>`
}

function testcase({ area, name, durationMs, outcome, text = '', seen = '' }: Case): string {
  const start = `    <testcase${xmlAttributes({ name, classname: `countersign.${area}`, time: seconds(durationMs) })}`
  if (outcome) {
    const { tag, type, message } = outcome
    // Repeat the message in the text, since some readers show only the attribute and others only the text.
    return `${start}>\n      <${tag}${xmlAttributes({ type, message })}>${xmlText(text || message)}</${tag}>${seen && `\n      <system-out>${xmlText(seen)}</system-out>`}\n    </testcase>`
  }
  return text ? `${start}>\n      <system-out>${xmlText(text)}</system-out>\n    </testcase>` : `${start}/>`
}

function sums(cases: readonly Case[]): string {
  const of = (tag: string) => cases.filter(({ outcome }) => outcome?.tag === tag).length
  return `failures="${of('failure')}" errors="${of('error')}"`
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}

/** Writes attributes of an XML element, with a space before each. */
export function xmlAttributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${xmlText(String(value)).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')}"`)
    .join('')
}

/** Escapes a text for XML 1.0. `inertLines` replaces the characters that XML forbids even as entities. */
export function xmlText(text: string): string {
  return escapeMarkup(showHiddenInLines(text))
}
