import { parse } from 'yaml'
import { planCheck } from './check.ts'
import { planField } from './field.ts'
import { type Plan, type Read, RefusedError } from './plan.ts'
import { planRule } from './rule.ts'

const usage = `Use one of:
  npm run scaffold -- field Workflow.owner_email             a field that the interface document has
  npm run scaffold -- field Workflow.owner_email --assumed   a field that the document does not have
  npm run scaffold -- rule owner-approves                    a rule of ours about new workflows
  npm run scaffold -- check workflow.owner-email             the check of a requirement
`

/** Plans what the arguments of the scaffold ask for. Throws a `RefusedError` if they cannot be served. */
export function planOf(read: Read, [kind = '', name = '', ...flags]: readonly string[]): Plan {
  const contract = parse(read('openapi.yaml') ?? '')
  const [unknown] = flags.filter((flag) => kind !== 'field' || flag !== '--assumed')
  if (unknown !== undefined) throw new RefusedError(`Unknown argument '${unknown}'. ${usage}`)
  switch (kind) {
    case 'field':
      return planField(read, contract, name, flags.includes('--assumed'))
    case 'rule':
      return planRule(read, contract, name)
    case 'check':
      return planCheck(read, contract, parse(read('conformance/catalogue/requirements.yaml') ?? ''), name)
    default:
      throw new RefusedError(`Unknown kind '${kind}'. ${usage}`)
  }
}
