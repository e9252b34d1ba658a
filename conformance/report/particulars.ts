import type { CheckResult } from './result.ts'

type Particulars = Pick<CheckResult, 'call' | 'pointer' | 'sent' | 'shown'>
type Described = Particulars & Pick<CheckResult, 'message'>

/** Returns the particulars of a failure with their labels: the call, the pointer, what was sent and what is shown. */
export function labelledParticulars({ call, pointer, sent, shown }: Particulars): [label: string, text: string][] {
  const all = { Call: call, Pointer: pointer, 'Sent by the run': sent, Shown: shown }
  return Object.entries(all).flatMap(([label, text]): [string, string][] => (text === undefined ? [] : [[label, text]]))
}

/**
 * Formats the particulars of a failure as a line such as `GET /api/v1/workflows/7, at /name: the run sent "a"; the answer shows "b"`. Returns
 * undefined if there are none, or only a call that the message names already.
 */
export function particularsLine({ call, pointer, sent, shown, message }: Described): string | undefined {
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
