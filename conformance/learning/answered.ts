/** Says what a profile tells about the open questions, from the overlay that is made of it. */
import type { Profile } from '../../src/profile/profile.ts'
import type { Overlay } from './overlay.ts'
import { refusedCalls } from './refused-calls.ts'

interface ShownResponse {
  readonly content?: Readonly<
    Record<string, { readonly examples?: Readonly<Record<string, { readonly value?: unknown }>> }>
  >
}

/** The ways in which executions go on, in words. */
const approvers = {
  manual: 'Executions stay open, as far as was seen.',
  instant: 'Executions end at once.',
  auto: 'Executions end after a while.',
} as const

/** Returns what a member of an update says. */
function said(name: string, value: unknown): string {
  if (name === 'x-accepts' || name === 'x-refuses') {
    const does = name === 'x-accepts' ? 'Accepts what the contract refuses' : 'Refuses what the contract accepts'
    return `${does}: ${[value].flat().join(', ')}`
  }
  return name === 'description' ? String(value).trim() : `Such as ${String(value)}`
}

/** The longest answer, in characters. */
const longest = 400

/** Returns what is known of the open questions, by their ids: one text for each answer of the deployment. */
export function answeredQuestions({ actions }: Overlay, profile: Profile): Map<string, readonly string[]> {
  const found = new Map<string, Set<string>>()
  const add = (gap: string, text: string) => {
    const short = text.length > longest ? `${text.slice(0, longest)}…` : text
    found.set(gap, (found.get(gap) ?? new Set()).add(short))
  }
  for (const { target, update = {}, description, 'x-gap': gaps } of actions) {
    if (!target.endsWith('.responses')) {
      for (const [name, value] of Object.entries(update)) {
        for (const gap of gaps) add(gap, said(name, value))
      }
      continue
    }
    const call = /of (\w+)\.$/.exec(description)?.[1] ?? ''
    for (const [status, response] of Object.entries(update)) {
      const contents = Object.values((response as ShownResponse).content ?? {})
      const examples = contents.flatMap(({ examples = {} }) => Object.entries(examples))
      if (examples.length === 0) for (const gap of gaps) add(gap, `${call}: ${status} without a body`)
      for (const [name, { value }] of examples) {
        const own = name === 'success' ? gaps.filter((gap) => !isOfRefusals(gap)) : (refusedCalls[name]?.gaps ?? [])
        const body = typeof value === 'string' ? value : JSON.stringify(value)
        for (const gap of own)
          add(gap, gap === 'gap.success-statuses' ? `${call}: ${status}` : `${call}: ${status} ${body}`)
      }
    }
  }
  if (profile.approvers !== undefined) add('gap.approvals', approvers[profile.approvers])
  return new Map([...found].map(([gap, texts]) => [gap, [...texts].slice(0, 8)]))
}

const gapsOfRefusals = new Set(Object.values(refusedCalls).flatMap(({ gaps }) => gaps))
const isOfRefusals = (gap: string) => gapsOfRefusals.has(gap)
