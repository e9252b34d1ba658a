/** What was found where in the answers, and why it was taken for that. */
import type { Section } from '../reading/sections.ts'
import { fieldIn, keyPlace, requested } from './documents.ts'
import { type Evidence, ifCameAbout } from './evidence.ts'
import { executedDetails, execution, sectionIn, sections } from './executions.ts'
import { workflow } from './workflows.ts'

/** JSON Pointers (RFC 6901) by what was found there; some stand in headers or in another answer, which they name. */
export type LocatedPlaces = Partial<
  Record<'workflow_id' | 'upload_url' | 'session_id' | 'key' | 'document_id' | Section, string>
>

/** Returns where each thing that the run needs was found. */
export function located(evidence: Evidence): LocatedPlaces {
  return evidence.once('located', () => {
    const places: Record<string, string | undefined> = {}
    const note = (name: keyof LocatedPlaces, find: () => string | undefined) => {
      places[name] = ifCameAbout(find)
    }
    note('workflow_id', () => workflow(evidence, 1).id.pointer)
    note('upload_url', () => fieldIn(evidence, requested(evidence, 1).exchange, 'upload_url')?.pointer)
    note('session_id', () => fieldIn(evidence, requested(evidence, 1).exchange, 'session_id')?.pointer)
    note('key', () => keyPlace(evidence, 1).pointer)
    note('document_id', () => execution(evidence, 1).place)
    for (const section of sections) {
      note(section, () => sectionIn(evidence, workflow(evidence, 1), executedDetails(evidence, 1).after.json, section))
    }
    return Object.fromEntries(Object.entries(places).filter(([, place]) => place !== undefined))
  })
}
