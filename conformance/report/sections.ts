import { requirement } from '../catalogue/catalogue.ts'
import type { CheckResult } from './result.ts'

/** The headings of docs/interface.md by their numbers. */
export const sectionTitles: Readonly<Record<string, string>> = {
  '1': 'What the service does',
  '2': 'Resources and their fields',
  '3': 'States and transitions',
  '4': 'Endpoints',
  '4.1': 'Create a workflow',
  '4.2': 'Execute a workflow',
  '4.3': 'Get workflow details and analytics',
  '4.4': 'Request a presigned upload URL',
  '4.5': 'Upload the file to storage',
  '4.6': 'Confirm the upload',
  '5': 'Authentication',
  '6': 'Events',
  '7': 'Errors',
  '8': 'Limits',
  '9': 'Versioning',
}

/** Returns a section with its title. Returns the section of a standard unchanged. */
export function sectionTitle(section: string): string {
  const title = sectionTitles[section]
  return title ? `${section} ${title}` : section
}

/** Returns the name of a section for use in a sentence. */
export function sectionName(section: string): string {
  return /^\d/.test(section) ? `section ${section}` : section
}

/** Compares sections in the document's order; those of standards come last. */
export function bySection(a: string, b: string): number {
  const own = Number(!(a in sectionTitles)) - Number(!(b in sectionTitles))
  return own || a.localeCompare(b, 'en', { numeric: true })
}

/** Names the source of a requirement, such as `Section 4.1`. */
export function source({ section, provenance }: Pick<CheckResult, 'section' | 'provenance'>): string {
  return provenance === 'assumed' ? 'Our choice' : sectionName(section).replace(/^section/, 'Section')
}

/** Returns the sentence of the document that a check rests on, such as `Section 4.1 says: "…"`, or else the fact in our words. */
export function sourceLine(check: Pick<CheckResult, 'requirement' | 'section' | 'provenance'>): string {
  const { quote, fact } = requirement(check.requirement)
  return quote ? `${source(check)} says: "${quote}"` : `${source(check)}: ${fact}`
}
