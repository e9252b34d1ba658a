import type { Finding } from '../reading/finding.ts'
import type { CheckResult } from './result.ts'

type Particulars = Pick<CheckResult, 'call' | 'pointer' | 'sent' | 'shown'>

/** Returns the particulars of a failure with their labels: the call, the pointer, what was sent and what is shown. */
export function labelledParticulars({ call, pointer, sent, shown }: Particulars): [label: string, text: string][] {
  const all = { Call: call, Pointer: pointer, 'Sent by the run': sent, Shown: shown }
  return Object.entries(all).flatMap(([label, text]): [string, string][] => (text === undefined ? [] : [[label, text]]))
}

/**
 * Formats the particulars of a failure as a line such as `GET /api/v1/workflows/7, at /name: the run sent "a"; the answer shows "b"`. Returns
 * undefined if there are none, or only a call that the message names already.
 */
export function particularsLine({
  call,
  pointer,
  sent,
  shown,
  message,
}: Particulars & Pick<CheckResult, 'message'>): string | undefined {
  const where = [call, pointer && `at ${pointer}`].filter(Boolean).join(', ')
  const values = [
    sent && (sent === 'missing' ? 'the run did not send it' : `the run sent ${sent}`),
    shown && (shown === 'missing' ? 'the answer does not show it' : `the answer shows ${shown}`),
  ]
    .filter(Boolean)
    .join('; ')
  const line = [where, values].filter(Boolean).join(': ')
  return line === call && message.includes(line) ? undefined : line || undefined
}

/** Describes the ground of a verdict in one sentence; an empty text without one. */
export function groundSentence({ ground }: Pick<CheckResult, 'ground'>): string {
  if (!ground) return ''
  const { name, finding } = ground
  if (finding) return `Reason: a ${name} place, ${findingText(finding, finding.rule)}.`
  return name === 'absent'
    ? 'Reason: nothing in the whole answer could be the value.'
    : 'Reason: whether the call was accepted, and with which status.'
}

/** Describes a finding with its place and why it was taken, without a full stop. */
export function findingText({ what, answer, place, rejected }: Finding, why: string): string {
  const others = rejected.length > 0 ? `; not taken: ${rejected.join('; ')}` : ''
  return `${what} at ${answer === undefined ? '' : `${answer} `}${place} (${why}${others})`
}
