/** The steps of the documented flow, in their order. `flow/` and `diagnosis/` define what each step sends. */
const flowSteps = [
  'create workflow 1',
  'request upload 1',
  'read workflow 1',
  'create workflow 2',
  'read workflow 2',
  'request upload 2',
  'put object 2',
  'confirm upload 2 without key',
  'put object 1',
  'confirm upload 1',
  'confirm upload 2',
  'execute workflow 1',
  'read workflow 1 executed',
  'settle workflow 1',
  'read workflow 2 beside',
  'execute workflow 2 without key',
  'execute workflow 2',
  'settle workflow 2',
  'read workflow 1 afterwards',
] as const

/** The steps beside the flow: valid calls with special values, and calls that should be refused. */
const sideSteps = [
  'create twin 1',
  'create twin 2',
  'read twin 1',
  'read twin 2',
  'create by default',
  'read by default',
  'create with 100 plain',
  'read with 100 plain',
  'create with 101 plain',
  'create with 100 accented',
  'create with few accented',
  'read with 100 accented',
  'create with 101 accented',
  'create with 100 reserved',
  'create with few reserved',
  'read with 100 reserved',
  'create with 101 reserved',
  'create accented',
  'read accented',
  'create shuffled',
  'read shuffled',
  'execute shuffled',
  'read shuffled executed',
  'execute by default',
  'read by default executed',
  'execute by default again',
  'read by default again',
  'read workflow 2 afterwards',
  'read workflow 2 at last',
  'read workflow 1 at last',
  'read shuffled at last',
  'read accented at last',
  'execute workflow 1 again',
  'read workflow 1 again',
  'request upload accented',
  'put object accented',
  'confirm upload accented',
  'request upload bracketed',
  'put object bracketed',
  'confirm upload bracketed',
  'request upload text',
  'put object text',
  'confirm upload text',
  'request upload image',
  'put object image',
  'confirm upload image',
  'request upload empty',
  'put object empty',
  'confirm upload empty',
  'request upload 3',
  'create without key',
  'read without key',
  'request upload without key',
  'read what was created without key',
  'delete workflows',
  'create as second tenant',
  'read as second tenant',
  'request upload as second tenant',
  'put object as second tenant',
  'confirm upload as second tenant',
  'execute as second tenant',
  'execute again without key',
  'put object with changed signature',
  'put object without signature',
  'put object 3',
  'confirm upload 3 as second tenant',
] as const

/** Experiments that find out why a step was refused. They run only then. */
const diagnosisSteps = [
  'diagnose reach',
  'diagnose create workflow 1',
  'diagnose create workflow 2',
  'diagnose request upload 1',
  'diagnose request upload 2',
  'diagnose put object 1',
  'diagnose put object 2',
  'diagnose confirm upload 1',
  'diagnose confirm upload 2',
  'diagnose execute workflow 1',
  'create plain',
] as const

/** Calls that answer an open question of the document. Each is named after its gap. */
const questionSteps = [
  'gap.auth-scheme',
  'gap.unknown-workflow',
  'gap.unsupported-media-type',
  'gap.unknown-path',
  'gap.cors',
  'gap.invalid-key',
  'gap.unknown-document',
  'gap.confirm-twice',
  'gap.file-size-unit',
  'gap.max-file-size',
  'gap.content-type-format',
  'gap.file-name-rules',
  'gap.confirm-before-put',
  'gap.unknown-session',
  'gap.confirm-mismatch',
  'gap.storage-content-type-mismatch',
  'gap.storage-length-mismatch',
  'gap.storage-authorization',
  'gap.storage-checksum',
  'gap.storage-precondition',
  'gap.storage-content-encoding',
  'gap.storage-errors',
  'gap.storage-rewrite',
  'gap.required-fields',
  'gap.unknown-fields',
  'gap.field-lengths',
  'gap.name-length-unit',
  'gap.step-id-format',
  'gap.step-order',
  'gap.step-types',
  'gap.email-format',
  'gap.max-steps',
  'gap.max-approvers',
  'gap.execution-modes',
  'gap.priorities',
] as const

export type FlowStep = (typeof flowSteps)[number] | (typeof sideSteps)[number]
export type DiagnosisStep = (typeof diagnosisSteps)[number]
export type QuestionStep = (typeof questionSteps)[number]
export type StepName = FlowStep | DiagnosisStep | QuestionStep

/** All steps of a run. */
export const stepNames: readonly StepName[] = [...flowSteps, ...sideSteps, ...diagnosisSteps, ...questionSteps]

/** The steps that every complete run takes: those of the flow and those beside it. */
export const allFlowSteps: readonly FlowStep[] = [...flowSteps, ...sideSteps]

/** Returns true for steps that answer open questions. All steps of the flow come before them. */
export function isQuestionStep(step: StepName | undefined): boolean {
  return questionSteps.some((one) => one === step)
}

/** The step and the attempt that a request belongs to. */
export interface Label {
  readonly step: StepName
  /** Counted from 1. A failure must occur in three attempts. */
  readonly attempt: number
  /** Distinguishes the requests of a step, such as by the place of the identifier under test. */
  readonly about?: string
}

/** The `about` of calls that prepare the one which answers a question. */
export const preparing = 'to prepare the question'
