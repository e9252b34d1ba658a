/** Tests the types of the contract. `npm run check:types` compiles this file; it never runs. */
import { expectTypeOf } from 'vitest'
import type { Answer, Body, OperationId, Params } from '../../src/contract/operations.ts'
import { workflowHandlers } from '../../src/http/service/workflows.ts'
import type { ServiceHandlers } from '../../src/wire/handlers.ts'

// @ts-expect-error: the handlers of uploads are missing
export const incomplete: ServiceHandlers = workflowHandlers

// An answer has a status and a body that the contract lists.
expectTypeOf<Answer<'createWorkflow'>['status']>().toEqualTypeOf<201>()
expectTypeOf<Answer<'executeWorkflow'>['status']>().toEqualTypeOf<202>()
expectTypeOf<Answer<'putObject'>['status']>().toEqualTypeOf<200>()
expectTypeOf<Answer<'putObject'>['body']>().toEqualTypeOf<undefined>()
expectTypeOf<Answer<'confirmUpload'>['body']['document_id']>().toEqualTypeOf<string>()
expectTypeOf<{ session_id: string }>().not.toExtend<Answer<'confirmUpload'>['body']>()

// For a handler, a field with a default is always present.
expectTypeOf<Body<'createWorkflow'>['isSequential']>().toEqualTypeOf<boolean>()
expectTypeOf<Params<'getWorkflow'>>().toEqualTypeOf<{ workflow_id: string }>()

expectTypeOf<OperationId>().toEqualTypeOf<
  'createWorkflow' | 'executeWorkflow' | 'getWorkflow' | 'requestUpload' | 'putObject' | 'confirmUpload'
>()
