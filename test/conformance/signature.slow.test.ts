import { expect, test } from 'vitest'
import { mutants } from '../../conformance/selftest/mutants/index.ts'
import { reference } from '../../conformance/selftest/reference.ts'
import { runOn } from '../../conformance/selftest/run-on.ts'
import type { ServerFunction } from '../../conformance/selftest/wrapper.ts'

/** Runs the suite on a server. Returns the result of the check of signatures. */
async function signatureCheckOn(fetch: ServerFunction) {
  const { checks } = await runOn(fetch, { gaps: false })
  return checks.find(({ id }) => id === 'storage.signature-is-verified')
}

test('the reference refuses changed and missing signatures', async () => {
  const check = await signatureCheckOn(reference())
  expect(check?.verdict).toBe('pass')
  expect(check?.message).toMatch(/^PUT \S+ answered 403 .* to a changed X-Amz-Signature, and 403 without it\.$/)
})

test('storage that takes a file without a signature is a warning', async () => {
  const unsigned = mutants.find(({ id }) => id === 'put-unsigned')
  const check = await signatureCheckOn((unsigned as (typeof mutants)[number]).create()(reference()))
  expect(check).toMatchObject({ verdict: 'fail', provenance: 'inherited' })
  expect(check?.message).toMatch(/^PUT \S+ answered 200 to an address without X-Amz-Signature\.$/)
})
