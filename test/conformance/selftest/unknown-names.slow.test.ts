/** Deployments whose member names mean nothing, but for the two that the document binds. */
import { expect, test } from 'vitest'
import { redOf } from '../../../conformance/selftest/gate.ts'
import { mapMembers } from '../../../conformance/selftest/json.ts'
import { mutantOf } from '../../../conformance/selftest/mutants/index.ts'
import { reference } from '../../../conformance/selftest/reference.ts'
import { documentedAmong, runOn } from '../../../conformance/selftest/run-on.ts'
import { changeAnswers, compose, serviceCalls } from '../../../conformance/selftest/wrapper.ts'

/** Returns a name without meaning that is always the same for the same name. */
function nonsense(name: string): string {
  if (name === 'upload_url' || name === 'session_id') return name
  return `q${[...name].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) >>> 0, 7).toString(36)}`
}

const unknownNames = changeAnswers(serviceCalls, (body) => mapMembers(body, (name, value) => [nonsense(name), value]))

test('the sound reference passes with meaningless member names', async () => {
  const { checks } = await runOn(unknownNames(reference()))
  expect(redOf(documentedAmong(checks))).toEqual([])
})

test.each([
  ['refuses-priority'],
  ['refuses-standard'],
  ['submitter-must-approve'],
  ['submitter-as-object'],
  ['steps-last-first'],
  ['priority-as-number'],
])('%s fails with meaningless member names', async (id) => {
  const mutant = mutantOf(id)
  if (!mutant) throw new Error(`There is no mutant ${id}.`)
  const { checks } = await runOn(compose(mutant.wrapper, unknownNames)(reference()))
  expect(redOf(documentedAmong(checks)).filter((one) => mutant.kills.includes(one))).not.toEqual([])
})
