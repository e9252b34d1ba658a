/** What a person has confirmed or corrected in a profile, by name, and is never guessed again. */
import { changedPart, partAt } from '../profile/places.ts'
import type { Profile } from '../profile/profile.ts'
import type { Json } from '../profile/template.ts'

/**
 * A thing that was found: a locator (`locators.key`), the mode of the approvers (`approvers`), a rule (`accepts file-too-large`), or a
 * place of an answer (`getWorkflow /body/views`) or of a refusal, by the contract's code (`missing-key /body/message`).
 */
export type Settable =
  | { readonly kind: 'locator'; readonly name: string }
  | { readonly kind: 'approvers' }
  | { readonly kind: 'rule'; readonly list: 'accepts' | 'refuses'; readonly rule: string }
  | { readonly kind: 'place'; readonly answer: string; readonly pointer: string }

/** Returns what a name stands for. */
export function settableNamed(name: string): Settable {
  if (name === 'approvers') return { kind: 'approvers' }
  if (name.startsWith('locators.')) return { kind: 'locator', name: name.slice('locators.'.length) }
  const [first = '', rest = ''] = [name.split(' ', 1)[0], name.slice(name.indexOf(' ') + 1)]
  if (first === 'accepts' || first === 'refuses') return { kind: 'rule', list: first, rule: rest }
  return { kind: 'place', answer: first, pointer: rest }
}

/** Returns what a profile says of a thing: a pointer, a mode, whether there is such a rule, or a template; undefined if nothing. */
export function settingOf(profile: Profile, thing: Settable): Json | undefined {
  switch (thing.kind) {
    case 'locator':
      return (profile.locators as Readonly<Record<string, string>> | undefined)?.[thing.name]
    case 'approvers':
      return profile.approvers
    case 'rule':
      return profile[thing.list]?.includes(thing.rule) || undefined
    case 'place': {
      const template = templateOf(profile, thing.answer)
      return template === undefined ? undefined : partAt(template, thing.pointer)
    }
    default:
      return thing satisfies never
  }
}

/** Returns a profile that says something else of a thing; with undefined, it says nothing of a locator or a rule. */
export function withSetting(profile: Profile, thing: Settable, setting: Json | undefined): Profile {
  switch (thing.kind) {
    case 'locator': {
      const { [thing.name]: _, ...others } = (profile.locators ?? {}) as Readonly<Record<string, string>>
      return { ...profile, locators: { ...others, ...(typeof setting === 'string' && { [thing.name]: setting }) } }
    }
    case 'approvers':
      return { ...profile, ...(setting !== undefined && { approvers: setting as NonNullable<Profile['approvers']> }) }
    case 'rule': {
      const others = (profile[thing.list] ?? []).filter((one) => one !== thing.rule)
      return { ...profile, [thing.list]: setting === undefined ? others : [...others, thing.rule].toSorted() }
    }
    case 'place': {
      const template = templateOf(profile, thing.answer)
      if (template === undefined || setting === undefined) return profile
      const group = Object.hasOwn(profile.answers ?? {}, thing.answer) ? 'answers' : 'refusals'
      const changed = changedPart(template, thing.pointer, () => setting)
      return { ...profile, [group]: { ...profile[group], [thing.answer]: changed } }
    }
    default:
      return thing satisfies never
  }
}

const templateOf = ({ answers = {}, refusals = {} }: Profile, answer: string): Json | undefined =>
  (answers as Readonly<Record<string, Json>>)[answer] ?? refusals[answer]

/** Returns what was found, with everything that was settled in an earlier profile as it is there. */
export function keepSettled(found: Profile, { settled = [], ...before }: Profile): Profile {
  const kept = settled.reduce((profile, name) => {
    const thing = settableNamed(name)
    return withSetting(profile, thing, settingOf(before, thing))
  }, found)
  return settled.length === 0 ? found : { ...kept, settled }
}
