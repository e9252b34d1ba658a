/** Changes of profiles. */
import type { OperationId } from '../../src/contract/operations.ts'
import type { IdentifierName, Profile } from '../../src/profile/profile.ts'
import type { Json } from '../../src/profile/template.ts'
import type { AnswerTemplate } from './contract-profile.ts'
import type { Templates } from './templates.ts'

/** Changes how a deployment answers. */
export type ProfileChange = (profile: Profile) => Profile

/** Composes changes; the first is the innermost. */
export function inTurn(...changes: readonly ProfileChange[]): ProfileChange {
  return (profile) => changes.reduce((changed, change) => change(changed), profile)
}

/** Changes the templates of some calls' successful answers. */
export function changeTemplates(
  calls: readonly OperationId[],
  change: (template: AnswerTemplate) => AnswerTemplate,
): ProfileChange {
  return ({ answers = {}, ...profile }) => ({
    ...profile,
    answers: mapEntries(answers, (template, call) => (calls.some((one) => one === call) ? change(template) : template)),
  })
}

/** Changes the templates of the bodies of some calls' successful answers. */
export function changeBodies(calls: readonly OperationId[], change: (body: Templates) => Json): ProfileChange {
  return changeTemplates(calls, ({ body, ...head }) =>
    body === undefined ? head : { ...head, body: change(body as Templates) },
  )
}

/** Changes the templates of the service's refusals. */
export function changeRefusals(change: (template: AnswerTemplate) => AnswerTemplate): ProfileChange {
  return ({ refusals = {}, ...profile }) => ({ ...profile, refusals: mapEntries(refusals, change) })
}

/** Changes how an identifier is made. */
export function identify(name: IdentifierName, template: Json): ProfileChange {
  return (profile) => ({ ...profile, identifiers: { ...profile.identifiers, [name]: template } })
}

function mapEntries(
  templates: Readonly<Record<string, Json>>,
  change: (template: AnswerTemplate, name: string) => AnswerTemplate,
): NonNullable<Profile['refusals']> {
  return Object.fromEntries(
    Object.entries(templates).map(([name, template]) => [
      name,
      { ...change(template as unknown as AnswerTemplate, name) },
    ]),
  )
}
