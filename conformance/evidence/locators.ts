import { isLocatorName, type LocatorName } from '../../src/profile/profile.ts'
import type { RequirementId } from '../catalogue/catalogue.ts'
import type { Located } from '../reading/locate.ts'
import { locatedAt } from '../reading/plain.ts'
import { Broken } from './failures.ts'

/** Returns the value at a locator. Throws an inconclusive `Broken` if there is none, since the profile may be wrong. */
export function locatedBy(name: LocatorName, pointer: string, json: unknown, by: RequirementId): Located {
  const value = locatedAt(json, pointer)
  if (value !== undefined && value !== null) return { pointer, name, value }
  const message = `The answer has no value at ${pointer}, which is locators.${name} of the profile. Correct or remove the locator`
  throw new Broken(by, 'inconclusive', message)
}

/** Returns the locator that decides where something is. That of the steps decides where their fields are. */
export function locatorFor(what: string): LocatorName | undefined {
  const isOfStep = what.startsWith('step.') || what.startsWith('approver.')
  const owner = isOfStep ? 'workflow.steps' : what
  return [owner, owner.replaceAll('-', '_')].find(isLocatorName)
}
