import { expect } from 'vitest'
import { type Answer, errorCodeIn } from './service.ts'

/** Waits for an answer, which must have a status, and if it is given the code of an error. Returns the answer. */
export async function mustAnswer(sending: Promise<Answer>, status: number, code?: string): Promise<Answer> {
  const answer = await sending
  expect([answer.status, code && errorCodeIn(answer.text)], answer.text.slice(0, 500)).toEqual([status, code])
  return answer
}
