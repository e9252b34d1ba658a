import { examples } from '../../contract/examples.gen.ts'
import type { OperationId } from '../../contract/operations.ts'
import { jsonAnswer, type Outgoing } from './exchange.ts'
import { faultAnswer, Problem } from './problem.ts'

/** Returns the contract's example with a status or a name, without any other effect. Throws a problem if there is none. */
export function exampleAnswer(id: OperationId, code?: string, example?: string): Outgoing {
  const fits = ({ status, name }: ExampleAnswer) => (code ?? status) === status && (example ?? name) === name
  const found = exampleAnswers(id).find(fits)
  if (!found && example === undefined && /^5\d\d$/.test(code ?? '')) return preferredFault(Number(code))
  if (!found) throw unknownPreference(id, [code && `code=${code}`, example && `example=${example}`])
  const { status, name, type, value } = found
  const headers = { ...found.headers, 'Preference-Applied': `code=${status}${name ? `, example=${name}` : ''}` }
  if (typeof value !== 'string') return jsonAnswer(Number(status), value, headers, type)
  const all = { ...headers, ...(type && { 'Content-Type': type }) }
  return { status: Number(status), headers: Object.entries(all), body: value }
}

/** Answers with a server error that is not in the contract, such as 500, so that clients can test it. */
function preferredFault(status: number): Outgoing {
  const fault = faultAnswer(status, `The request asked for this error with 'Prefer: code=${status}'.`)
  return { ...fault, headers: [...fault.headers, ['Preference-Applied', `code=${status}`]] }
}

/** An example answer of the contract. An empty body has neither name nor value. */
interface ExampleAnswer {
  readonly status: string
  readonly type?: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly name?: string
  readonly value?: unknown
}

function exampleAnswers(id: OperationId): ExampleAnswer[] {
  return Object.entries(examples[id]).flatMap(([status, { type, headers, examples }]): ExampleAnswer[] => {
    const values = Object.entries(examples)
    const named = values.map(([name, value]) => ({ status, type, headers, name, value }))
    return named.length > 0 ? named : [{ status, headers }]
  })
}

function unknownPreference(id: OperationId, asked: readonly (string | undefined)[]): Problem {
  const what = asked.filter(Boolean).join(', ').slice(0, 100)
  const known = exampleAnswers(id).map(({ status, name }) =>
    name ? `code=${status}, example=${name}` : `code=${status}`,
  )
  return new Problem(
    'invalid-preference',
    `The contract has no answer with ${what} for ${id}. Use one of: ${known.join('; ')}.`,
  )
}
