import { expect, test } from 'vitest'
import { mutants } from '../../../conformance/selftest/mutants/index.ts'
import { reference } from '../../../conformance/selftest/reference.ts'
import { choiceText, singleChoices, variant } from '../../../conformance/selftest/variants/index.ts'
import { WholeRequest } from '../../../conformance/selftest/whole.ts'
import type { ServerFunction } from '../../../conformance/selftest/wrapper.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { sampled } from '../../support/sample.ts'
import { transcript } from './transcript.ts'

/** Sends the same requests as whole ones. */
const whole =
  (server: ServerFunction): ServerFunction =>
  async (request) => {
    const { method, url, headers } = request
    const body = request.body ? { body: new Uint8Array(await request.arrayBuffer()) } : {}
    return server(new WholeRequest(url, { method, headers, ...body }) as unknown as Request)
  }

const servers: readonly (readonly [string, () => ServerFunction])[] = [
  ['the reference', () => reference()],
  ...sampled(mutants).map(({ id, wrapper }) => [id, () => wrapper(reference())] as const),
  ...sampled(singleChoices).map((choice) => [choiceText(choice), () => variant(choice)(reference)] as const),
]

test.each(nonEmpty(servers))('%s answers alike', async (_, create) => {
  expect(await transcript(whole(create()))).toBe(await transcript(create()))
})
