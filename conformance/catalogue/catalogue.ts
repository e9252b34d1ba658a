import { gaps, requirements } from './catalogue.gen.ts'
import type { Gap, Requirement } from './entries.ts'

export type { Gap, Requirement } from './entries.ts'

export type RequirementId = keyof typeof requirements
export type GapId = keyof typeof gaps

/** Returns the requirement with an id. */
export function requirement(id: RequirementId): Requirement {
  return requirements[id]
}

/** Returns the gap with an id. */
export function gap(id: GapId): Gap {
  return gaps[id]
}

export const requirementIds = Object.keys(requirements) as RequirementId[]
export const gapIds = Object.keys(gaps) as GapId[]
