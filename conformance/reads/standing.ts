/** Looks up what the interface document says about the places that a front end reads. */
import { answerCitations } from '../../src/contract/answer-citations.gen.ts'
import { isObject, pointerSteps } from '../../src/contract/json.ts'
import type { Citations, OperationId } from '../../src/contract/operations.ts'
import type { Profile } from '../../src/profile/profile.ts'
import type { ReadPlace } from '../../src/reads/reads-file.ts'

/** `documented`: the document promises the place. `assumed`: it is our answer to an open question. `unknown`: the contract does not have it. */
export type Standing = 'documented' | 'assumed' | 'unknown'

/** A place with its standing. */
export interface StandingPlace extends ReadPlace, Citations {
  readonly standing: Standing
  /** The place in the contract, if the front end reads the answers of a profile. */
  readonly contractPlace?: string
}

/** Finds out what the document says about each place. With a profile, places are those of its answers. */
export function standingOf(place: ReadPlace, profile?: Profile): StandingPlace {
  const own = profile ? contractPlaceOf(place, profile) : place.place
  const cited = own === undefined ? undefined : citedAt(place.operation, place.status, own)
  const { requirements = [], gaps = [] } = cited ?? {}
  const isPromised = requirements.length > 0 && gaps.length === 0
  const standing = cited === undefined ? 'unknown' : isPromised ? 'documented' : 'assumed'
  const isElsewhere = own !== undefined && own !== place.place
  return { ...place, requirements, gaps, standing, ...(isElsewhere && { contractPlace: own }) }
}

/** Returns what the contract cites at a place. A success has the places of the contract's success, whatever its status is. */
function citedAt(operation: OperationId, status: number, place: string): Citations | undefined {
  const answers = answerCitations[operation]
  const statuses = Object.keys(answers).map(Number)
  const known = answers[status] ? status : statuses.find((one) => one < 300 && status < 300)
  return known === undefined ? undefined : answers[known]?.[place]
}

/** Returns the place in the contract from which a profile takes a place of its answers; undefined if there is none. */
function contractPlaceOf({ operation, status, place }: ReadPlace, profile: Profile): string | undefined {
  const own = profile.answers?.[operation]
  // An answer without a template is that of the contract.
  if (status < 400 && own === undefined) return place
  const templates: readonly unknown[] = status < 400 ? [own] : Object.values(profile.refusals ?? {})
  const steps = pointerSteps(place)
  return templates
    .filter((template) => isObject(template))
    .filter((template) => status < 400 || template.status === status)
    .flatMap(({ body }) => sourceOf(body, steps, []) ?? [])[0]
}

/** Follows a place through a template. `items` are the places of the items of the surrounding lists, the innermost first. */
function sourceOf(template: unknown, steps: readonly string[], items: readonly string[]): string | undefined {
  if (!isObject(template)) return undefined
  const [step, ...rest] = steps
  const text = (name: string) => {
    const value = template[name]
    return typeof value === 'string' ? value : undefined
  }
  const list = text('$each')
  if (list !== undefined) {
    const place = absolute(list, items)
    if (step === undefined || place === undefined) return place
    if (step !== '*') return undefined
    return rest.length === 0 ? `${place}/*` : sourceOf(template.item, rest, [`${place}/*`, ...items])
  }
  const value = text('$') ?? text('$case') ?? text('$time') ?? text('$count')
  if (value !== undefined) {
    const place = absolute(value, items)
    return place === undefined ? undefined : [place, ...steps].join('/')
  }
  const condition = text('$if')
  if (condition !== undefined) {
    return step === undefined ? absolute(condition, items) : sourceOf(template.present, steps, items)
  }
  if (Array.isArray(template.$text)) {
    return template.$text.map((part: unknown) => sourceOf(part, steps, items)).find((place) => place !== undefined)
  }
  const members = isObject(template.$members) ? template.$members : template
  if (step !== undefined) return sourceOf(members[step], rest, items)
  // An object is the one whose members it takes.
  const parents = Object.values(members).flatMap((member) => sourceOf(member, [], items)?.replace(/\/[^/]*$/, '') ?? [])
  return new Set(parents).size === 1 ? parents[0] : undefined
}

/** Returns the place in the contract's answer of a pointer of a template. */
function absolute(pointer: string, items: readonly string[]): string | undefined {
  const [, outside, below = ''] = /^(\d+)(\/.*)?$/.exec(pointer) ?? []
  if (outside !== undefined) {
    const item = items[Number(outside)]
    return item === undefined ? undefined : item + below
  }
  const [, place] = /^\/(?:answer|problem)(\/.*)$/.exec(pointer) ?? []
  return place
}
