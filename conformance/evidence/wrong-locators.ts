/** Finds wrong locators of a profile: those that do not work although discovery finds another value. */
import type { LocatorName } from '../../src/profile/profile.ts'
import { type Located, valueAt } from '../reading/locate.ts'
import { type Analytic, findPart, mayBePart, sections } from '../reading/parts.ts'
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
  /** Returns what discovery finds without the locator. */
  readonly discovered: (bare: Evidence) => Located | undefined
  /** Returns false if the value cannot be what the locator is for. Throws if the call that uses the locator failed. */
  readonly works: (evidence: Evidence) => unknown
}

const upload = (evidence: Evidence) => evidence.accepted('request upload 1')
const inUpload = (evidence: Evidence) => upload(evidence).json

const details = (evidence: Evidence) => executedDetails(evidence, 1).after

/** Creates the rule for one of the analytics. Null counts as shown. */
function inDetails(name: Analytic): Rule {
  return {
    body: (evidence) => details(evidence).json,
    discovered(bare) {
      const { json } = details(bare)
      const pointer = findPart(json, name)
      return pointer === undefined ? undefined : { pointer, name, value: valueAt(json, pointer) }
    },
    works(evidence) {
      const { [name]: pointer = '' } = evidence.settings.profile.locators ?? {}
      return mayBePart(name, locatedAt(details(evidence).json, pointer))
    },
  }
}

const rules: Partial<Record<LocatorName, Rule>> = {
  workflow_id: {
    body: (evidence) => evidence.accepted('create workflow 1').json,
    discovered: (bare) => identifiersOf(bare, bare.accepted('create workflow 1'))[0],
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
  bottlenecks: inDetails('bottlenecks'),
  success_rate: inDetails('success_rate'),
  completion_time: inDetails('completion_time'),
}

/**
 * Returns a sentence for each wrong locator of a profile. A locator is wrong if the call that uses it failed and discovery finds
 * another value. `bare` is the same evidence without locators.
 */
export function wrongLocators(evidence: Evidence, bare: Evidence): string[] {
  const { locators = {} } = evidence.settings.profile
  const identifiers = Object.entries(rules).flatMap(([name, rule]) => {
    const pointer = locators[name as LocatorName]
    return pointer === undefined ? [] : (resultIfSucceeded(() => flawOf(name, pointer, rule, evidence, bare)) ?? [])
  })
  return [...identifiers, ...wrongSections(evidence, bare)]
}

function flawOf(name: string, pointer: string, rule: Rule, evidence: Evidence, bare: Evidence): string[] {
  if (resultIfSucceeded(() => rule.works(evidence) !== false)) return []
  const found = resultIfSucceeded(() => rule.discovered(bare))
  const value = locatedAt(rule.body(evidence), pointer)
  if (!found || String(found.value) === String(value)) return []
  return [describeFlaw(name, pointer, value, found.pointer, found.value)]
}

function wrongSections(evidence: Evidence, bare: Evidence): string[] {
  const { locators = {} } = evidence.settings.profile
  return sections.flatMap((section) => {
    const pointer = locators[section]
    if (pointer === undefined) return []
    const json = resultIfSucceeded(() => executedDetails(evidence, 1).after.json)
    const made = resultIfSucceeded(() => workflow(bare, 1))
    if (!made || sectionIn(evidence, made, json, section) !== undefined) return []
    const place = sectionIn(bare, made, json, section)
    return place === undefined
      ? []
      : [describeFlaw(section, pointer, locatedAt(json, pointer), place, valueAt(json, place))]
  })
}

function describeFlaw(name: string, pointer: string, value: unknown, place: string, found: unknown): string {
  const there = value === undefined ? 'which has no value' : `which holds ${quote(value)}`
  return `locators.${name} is ${pointer}, ${there}; discovery finds ${quote(found)} at ${place}.`
}

function quote(value: unknown): string {
  return truncate(showHidden(JSON.stringify(value) ?? 'nothing'), 80)
}
