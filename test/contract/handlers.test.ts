import { expectTypeOf, test } from 'vitest'
import type { Answer, Body, OperationId, Params } from '../../src/contract/operations.ts'
import type { ServiceHandlers } from '../../src/http/handlers.ts'
import { workflowHandlers } from '../../src/http/workflows.ts'

test('a missing operation does not compile', () => {
  // @ts-expect-error: the handlers of uploads are missing
  const handlers: ServiceHandlers = workflowHandlers
  expectTypeOf(handlers).toEqualTypeOf<ServiceHandlers>()
})

test('a status that the contract does not list does not compile', () => {
  expectTypeOf<Answer<'createWorkflow'>['status']>().toEqualTypeOf<201>()
  expectTypeOf<Answer<'executeWorkflow'>['status']>().toEqualTypeOf<202>()
  expectTypeOf<Answer<'putObject'>['status']>().toEqualTypeOf<200>()
})

test('a body that the contract does not list does not compile', () => {
  expectTypeOf<Answer<'putObject'>['body']>().toEqualTypeOf<undefined>()
  expectTypeOf<Answer<'confirmUpload'>['body']['document_id']>().toEqualTypeOf<string>()
  expectTypeOf<{ session_id: string }>().not.toExtend<Answer<'confirmUpload'>['body']>()
})

test('a field with a default is there when the handler sees the body', () => {
  expectTypeOf<Body<'createWorkflow'>['isSequential']>().toEqualTypeOf<boolean>()
  expectTypeOf<Params<'getWorkflow'>>().toEqualTypeOf<{ workflow_id: string }>()
})

test('the calls are the six of the document', () => {
  expectTypeOf<OperationId>().toEqualTypeOf<
    'createWorkflow' | 'executeWorkflow' | 'getWorkflow' | 'requestUpload' | 'putObject' | 'confirmUpload'
  >()
})
