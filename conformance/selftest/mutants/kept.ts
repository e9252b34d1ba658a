/** Helpers for mutants that store or show a workflow with other values. */
import type { Body } from '../../../src/contract/operations.ts'
import { changeAt, changeNamed } from '../json.ts'
import { changeAnswers, changeBody, type Wrapper } from '../wrapper.ts'

export type StoredStep = Body<'createWorkflow'>['steps'][number]

/** Stores the values at a path of a workflow otherwise than they were sent, so that all answers show them. */
export function keeps<Value = string>(
  path: string,
  change: (value: Value, index: number, all: readonly Value[]) => unknown,
): Wrapper {
  return changeBody('createWorkflow', changeAt(path, change))
}

/** Shows a field with another value than it was sent; for values that the reference would refuse to store. */
export function shows<Value>(name: string, change: (value: Value) => unknown): Wrapper {
  return changeAnswers(['createWorkflow', 'getWorkflow', 'executeWorkflow'], changeNamed(name, change))
}
