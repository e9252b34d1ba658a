/** Finds wrong locators of a profile: those that do not work although discovery finds another value. */
import type { LocatorName } from '../../src/profile/profile.ts'
import { type Located, valueAt } from '../reading/locate.ts'
import { analytics, findPart, mayBePart, type Part, sections } from '../reading/parts.ts'
import { locatedAt } from '../reading/plain.ts'
import { showHidden, truncate } from '../wire/inert.ts'
import { confirmed, documentIdentifiers, fieldIn, keyOf, stored, uploadOf } from './documents.ts'
import { type Evidence, resultIfSucceeded } from './evidence.ts'
import { executedDetails, execution, sectionIn } from './executions.ts'
import { identifiersOf, workflow } from './workflows.ts'

/** Compares a locator with discovery. */
interface Rule {
  /** Returns the body that the locator points into. */
  readonly body: (evidence: Evidence) => unknown
  /** Returns what discovery finds without the locator, in the evidence or in a body. */
  readonly discovered: (bare: Evidence, body: unknown) => Located | undefined
  /** Returns false if the value cannot be what the locator is for. Throws if the call that uses the locator failed. */
  readonly works: (evidence: Evidence, body: unknown, pointer: string) => unknown
}

const created = (evidence: Evidence) => evidence.accepted('create workflow 1')
const upload = (evidence: Evidence) => evidence.accepted('request upload 1')
const inUpload = (evidence: Evidence) => upload(evidence).json

const details = (evidence: Evidence) => executedDetails(evidence, 1).after.json

/** Creates the rule for a part of the details. Only analytics may be null. */
const inDetails = (name: Part, works: Rule['works']): Rule => ({
  ...{ body: details, works },
  discovered(bare, json) {
    const pointer = findPart(json, name, workflow(bare, 1).sent.steps)
    return pointer === undefined ? undefined : { pointer, name, value: valueAt(json, pointer) }
  },
})

const rules: Partial<Record<LocatorName, Rule>> = {
  workflow_id: {
    body: (evidence) => created(evidence).json,
    discovered: (bare) => identifiersOf(bare, created(bare))[0],
    works: (evidence) => workflow(evidence, 1),
  },
  upload_url: {
    body: inUpload,
    discovered: (bare) => fieldIn(bare, upload(bare), 'upload_url'),
    works: (evidence) => stored(evidence, 1),
  },
  session_id: {
    body: inUpload,
    discovered: (bare) => fieldIn(bare, upload(bare), 'session_id'),
    works: (evidence) => confirmed(evidence, 1),
  },
  key: {
    body: inUpload,
    discovered: (bare) => keyOf(bare, uploadOf(bare, 'request upload 1')),
    works: (evidence) => confirmed(evidence, 1),
  },
  document_id: {
    body: (evidence) => confirmed(evidence, 1).json,
    discovered: (bare) => documentIdentifiers(bare, 1)[0],
    works: (evidence) => execution(evidence, 1),
  },
  ...Object.fromEntries([
    ...analytics.map((part) => [
      part,
      inDetails(part, (_, json, pointer) => mayBePart(part, locatedAt(json, pointer))),
    ]),
    ...sections.map((section) => [
      section,
      inDetails(section, (evidence, json) => sectionIn(evidence, workflow(evidence, 1), json, section) !== undefined),
    ]),
  ]),
}

/**
 * Returns a sentence for each wrong locator of a profile. A locator is wrong if the call that uses it failed and discovery finds
 * another value. `bare` is the same evidence without locators.
 */
export function wrongLocators(evidence: Evidence, bare: Evidence): string[] {
  const { locators = {} } = evidence.settings.profile
  return Object.entries(rules).flatMap(([name, { body, discovered, works }]) => {
    const pointer = locators[name as LocatorName]
    if (pointer === undefined) return []
    const json = resultIfSucceeded(() => body(evidence))
    if (json === undefined || resultIfSucceeded(() => works(evidence, json, pointer) !== false)) return []
    const found = resultIfSucceeded(() => discovered(bare, json))
    const value = locatedAt(json, pointer)
    if (!found || String(found.value) === String(value)) return []
    const there = value === undefined ? 'which has no value' : `which holds ${quote(value)}`
    return `locators.${name} is ${pointer}, ${there}; discovery finds ${quote(found.value)} at ${found.pointer}.`
  })
}

function quote(value: unknown): string {
  return truncate(showHidden(JSON.stringify(value) ?? 'nothing'), 80)
}
