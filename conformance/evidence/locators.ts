import type { RequirementId } from '../catalogue/catalogue.ts'
import { at, type Located } from '../reading/locate.ts'
import type { LocatorName } from '../reading/profile.ts'
import { Broken } from './failures.ts'

/** Returns the value at a locator. If it finds nothing, the profile is wrong and not the deployment, so nothing is decided. */
export function locatedBy(name: LocatorName, pointer: string, json: unknown, by: RequirementId): Located {
  const value = at(json, pointer)
  if (value !== undefined && value !== null) return { pointer, name, value }
  const message = `locators.${name} of the profile finds nothing at ${pointer}; correct it or remove it`
  throw new Broken(by, 'inconclusive', message)
}
