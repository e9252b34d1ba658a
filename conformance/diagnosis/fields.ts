/** Diagnoses of calls with a body, by experiments that each avoid one documented fact, the likeliest first. */
import type { Body } from '../../src/contract/operations.ts'
import type { RequirementId } from '../catalogue/catalogue.ts'
import type { Evidence } from '../evidence/evidence.ts'
import { changed, missing } from '../flow/changed.ts'
import type { Sender } from '../flow/step.ts'
import { lastName } from '../reading/locate.ts'
import type { Diagnosis, Experiment } from './experiment.ts'
import type { Field } from './named-field.ts'

/** A change of one value that avoids one fact. Refusing `allowed` ones breaks nothing: no sentence of the document sets that limit. */
type ExperimentRow = readonly [id: RequirementId, how: string, pointer: string, change: unknown, isAllowed?: 'allowed']

/** Returns the experiments of a call, each with one changed value. */
const experimentsOf = (
  rows: readonly ExperimentRow[],
  send: (sender: Sender, change: ChangeOf) => Promise<unknown>,
): Experiment[] =>
  rows.map(([id, how, pointer, change, isAllowed]) => ({
    ...{ id, how, isAllowed: isAllowed !== undefined },
    send: (sender) => send(sender, (body) => changed(body, pointer, change)),
  }))

/** Returns the fields that experiments leave out, of which a refusal may name one. Many things have a name. */
const fieldsLeftOut = (rows: readonly ExperimentRow[]): Field[] =>
  rows
    .filter(([, , , change]) => change === missing)
    .map(([id, , pointer]) => ({ id, name: lastName(pointer) }))
    .filter(({ name }) => name !== 'name')

/** Returns a body with the change of an experiment. */
type ChangeOf = <Sound extends object>(body: Sound) => Sound

/** A call with a body. */
interface Posting<Sound extends object> {
  readonly call: RequirementId
  readonly rows: readonly ExperimentRow[]
  readonly path: (evidence: Evidence) => string
  readonly body: (sender: Sender) => Sound
  readonly post: (sender: Sender, body: Sound) => Promise<unknown>
  /** Sends a body with a change. @default the body of `body` */
  readonly send?: (sender: Sender, change: ChangeOf) => Promise<unknown>
  /** Says how the unchanged body is sent by `send`, which is tried before all changes. @default it is not */
  readonly first?: string
}

/** Returns the diagnosis of a call with a body: with changed values, and with other media types and encodings. */
export function posting<Sound extends object>({
  call,
  rows,
  path,
  body,
  post,
  first,
  ...own
}: Posting<Sound>): Diagnosis {
  const { send = (sender, change) => post(sender, change(body(sender))) } = own
  return {
    ...{ call, fields: fieldsLeftOut(rows) },
    again: (sender) => post(sender, body(sender)),
    experiments: (evidence) => [
      ...(first === undefined
        ? []
        : [{ id: call, how: first, send: (sender: Sender) => send(sender, (same) => same) }]),
      ...experimentsOf(rows, send),
      ...bodyExperiments(path(evidence), body),
    ],
  }
}

type Approver = Body<'createWorkflow'>['steps'][number]['approvers'][number]

/** The experiments of each call with a body. */
export const experimentRows = {
  workflow: [
    ['workflow.description', 'without description', '/description', missing],
    ['workflow.is-sequential', 'without isSequential', '/isSequential', missing],
    ['workflow.is-sequential', 'with isSequential reversed', '/isSequential', false],
    // The unit of durations is not documented (section 2), nor the limit of the number of steps (section 8).
    [
      ...(['step.estimated-duration', 'with shorter estimated durations', '/steps/*/estimated_duration'] as const),
      ...([(_: number, index: number) => index + 1, 'allowed'] as const),
    ],
    [
      ...(['workflow.steps', 'with two steps instead of three', '/steps'] as const),
      ...([(steps: readonly object[]) => steps.slice(0, 2), 'allowed'] as const),
    ],
    ['workflow.steps', 'with a single step', '/steps', (steps: readonly object[]) => steps.slice(0, 1)],
    ['step.order-starts-at-1', 'with orders from 0', '/steps/*/order', (_: number, index: number) => index],
    ['step.order-starts-at-1', 'with orders from 2', '/steps/*/order', (_: number, index: number) => index + 2],
    ['workflow.name', 'without name', '/name', missing],
    ['workflow.steps', 'without steps', '/steps', missing],
    ['step.approvers', 'without approvers', '/steps/*/approvers', missing],
    ['step.approvers', 'with approvers as plain addresses', '/steps/*/approvers/*', ({ email }: Approver) => email],
    ['step.order', 'without order', '/steps/*/order', missing],
    ['step.type-approval', 'without type', '/steps/*/type', missing],
    ['step.type-approval', 'with type review', '/steps/*/type', 'review'],
    ['step.type-approval', 'with type APPROVAL', '/steps/*/type', 'APPROVAL'],
    ['step.name', "without the steps' names", '/steps/*/name', missing],
    ['step.step-id', 'without step_id', '/steps/*/step_id', missing],
    ['step.step-id', 'without hyphens in step_id', '/steps/*/step_id', (id: string) => id.replace('-', '')],
    ['step.estimated-duration', 'without estimated_duration', '/steps/*/estimated_duration', missing],
    [
      ...(['step.approvers', 'with one approver for each step', '/steps/*/approvers'] as const),
      (approvers: readonly Approver[]) => approvers.slice(0, 1),
    ],
    ['approver.name', "without the approvers' names", '/steps/*/approvers/*/name', missing],
    ['approver.email', "without the approvers' e-mail addresses", '/steps/*/approvers/*/email', missing],
  ],
  upload: [
    ['upload.file-size', 'without file_size', '/file_size', missing],
    ['upload.file-size', 'with file_size as a text', '/file_size', String],
    ['upload.content-type', 'without content_type', '/content_type', missing],
    ['upload.file-name', 'without file_name', '/file_name', missing],
  ],
  // The limit of a file's size is not documented (section 8).
  smallerFile: [['upload.file-size', 'for a smaller file', '/file_size', 1, 'allowed']],
  confirmation: [
    ['completed-file.file-name', 'without file_name', '/completed_files/*/file_name', missing],
    ['completed-file.key', 'without key', '/completed_files/*/key', missing],
    ['confirm.completed-files', 'without completed_files', '/completed_files', missing],
    ['confirm.session-id', 'without session_id', '/session_id', missing],
  ],
  execution: [
    ['execution.document-id', 'without document_id', '/document_id', missing],
    ['execution.document-id', 'with document_id as a list', '/document_id', (id: string) => [id]],
    ['execution.priority-high', 'without priority', '/priority', missing],
    ['execution.priority-high', 'with priority normal', '/priority', 'normal'],
    ['execution.priority-high', 'with priority medium', '/priority', 'medium'],
    ['execution.priority-high', 'with priority HIGH', '/priority', 'HIGH'],
    ['execution.mode-standard', 'without execution_mode', '/execution_mode', missing],
    ['execution.mode-standard', 'with execution_mode express', '/execution_mode', 'express'],
    ['execution.mode-standard', 'with execution_mode normal', '/execution_mode', 'normal'],
    ['execution.mode-standard', 'with execution_mode STANDARD', '/execution_mode', 'STANDARD'],
    ['execution.submitter-email', 'without submitter_email', '/submitter_email', missing],
  ],
} satisfies Record<string, readonly ExperimentRow[]>

/** Media types that a service may expect instead of the documented one. */
const otherTypes = [
  'application/json; charset=utf-8',
  'application/vnd.api+json',
  'text/json',
  'application/vnd.countersign+json',
]

/** Returns experiments with another media type or another encoding of the body. */
function bodyExperiments(path: string, sample: (sender: Sender) => object): Experiment[] {
  const post = (text: (body: object) => string, type: string) => (sender: Sender) =>
    sender.target.post(path, text(sample(sender)), type)
  const form = (body: object) =>
    new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)])).toString()
  return [
    ...otherTypes.map(
      (type): Experiment => ({ id: 'api.json-content-type', how: `as ${type}`, send: post(JSON.stringify, type) }),
    ),
    { id: 'api.request-bodies-are-json', how: 'as a form', send: post(form, 'application/x-www-form-urlencoded') },
    {
      id: 'api.request-bodies-are-json',
      how: 'in Base64',
      send: post((body) => btoa(JSON.stringify(body)), 'application/json'),
    },
  ]
}
