import type { Profile } from '../../../src/profile/profile.ts'
import { Style } from '../../../src/profile/style.ts'
import { answerLike } from '../answer-like.ts'
import { contractProfile } from '../contract-profile.ts'
import { type Choice, UnknownCombination } from '../mutant.ts'
import { inTurn, type ProfileChange } from '../profile-changes.ts'
import { compose, type ServerFunction } from '../wrapper.ts'
import type { Axis } from './axis.ts'
import { behaviourAxes } from './behaviour.ts'
import { detailsAxes } from './details.ts'
import { errorAxes } from './errors.ts'
import { documentAxes, identifierAxes, showDocumentEarly } from './identifiers.ts'
import { shapeAxes } from './shape.ts'
import { storageAxes } from './storage.ts'
import { transportAxes } from './transport.ts'

export type { Axis }

/** All axes, innermost first: later axes see the changes of earlier ones. */
export const axes: readonly Axis[] = [
  ...behaviourAxes,
  ...documentAxes,
  ...identifierAxes,
  ...storageAxes,
  ...detailsAxes,
  ...shapeAxes,
  ...errorAxes,
  ...transportAxes,
]
/** All choices of a single value. */
export const singleChoices: readonly Choice[] = axes.flatMap(({ axis, values }) =>
  Object.keys(values).map((value) => ({ [axis]: value })),
)

/** Returns true if a client can still find the storage key under a choice. */
export function isSound(choice: Choice): boolean {
  if (choice['storage-key'] === 'url-only') return choice['storage-url'] !== 'opaque'
  return choice['storage-key'] !== 'folder-and-url' || choice['key-middle'] !== 'name-after-hyphen'
}

/** Creates a server; `like` has what the server itself does as a deployment does. */
export type ServerFactory = (like?: Profile) => ServerFunction

/**
 * Returns a function that creates the variant of a server, or of a mutant of it. Throws an `UnknownCombination` for an unknown
 * axis or value.
 */
export function variant(choice: Choice): (create: ServerFactory) => ServerFunction {
  requireKnown(choice)
  const wrappers = (some: readonly Axis[]) =>
    some.flatMap(({ axis, of, values }) => (of === 'behaviour' ? (values[choice[axis] ?? ''] ?? []) : []))
  const change = changeOf(choice)
  return (create) =>
    compose(
      ...wrappers([...behaviourAxes, ...storageAxes]),
      ...(change ? [answerLike(change)] : []),
      ...wrappers(transportAxes),
    )(create(change && ownPart(change(contractProfile))))
}

/** Returns the profile of a variant. What its calls do otherwise is not in it. */
export function profileOf(choice: Choice): Profile {
  requireKnown(choice)
  return changeOf(choice)?.(contractProfile) ?? contractProfile
}

/** Returns how the answers of a choice look, if other than the reference's. */
function changeOf(choice: Choice): ProfileChange | undefined {
  const changes = axes.flatMap(({ axis, of, values }) => (of === 'shape' ? (values[choice[axis] ?? ''] ?? []) : []))
  return changes.length > 0 ? inTurn(...changes) : undefined
}

/** Returns the part of a profile that is no question of looks: the identifiers, where they are shown first, and what is accepted. */
function ownPart(profile: Profile): Profile {
  const { identifiers = {}, accepts = [] } = profile
  const { requestUpload } = contractProfile.answers
  const isEarly = new Style(profile).showsDocumentEarly
  return { identifiers, accepts, ...(isEarly && showDocumentEarly({ answers: { requestUpload } })) }
}

function requireKnown(choice: Choice): void {
  for (const [axis, value] of Object.entries(choice)) {
    const known = axes.find((one) => one.axis === axis)
    if (!known) {
      throw new UnknownCombination(`Unknown axis '${axis}'. Use one of ${axes.map((one) => one.axis).join(', ')}.`)
    }
    if (Object.hasOwn(known.values, value)) continue
    const values = Object.keys(known.values).join(', ')
    throw new UnknownCombination(`The axis ${axis} has no value '${value}'. Use one of ${values}.`)
  }
}

/** Formats a choice as on the command line. */
export function choiceText(choice: Choice): string {
  return Object.entries(choice)
    .map(([axis, value]) => `${axis}=${value}`)
    .join(',')
}
