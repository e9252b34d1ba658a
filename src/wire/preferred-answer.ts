import { examples } from '../contract/examples.gen.ts'
import type { OperationId } from '../contract/operations.ts'
import { Problem } from './problem.ts'

/** An example answer of the contract. An empty body has neither name nor value. */
interface Example {
  readonly status: number
  readonly type?: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly name?: string
  readonly value?: unknown
}

/**
 * Returns the contract's example with a status or a name, or a server error that is not in the contract, such as 500, so that clients
 * can test it. Throws a problem if there is none.
 */
export function exampleOf(id: OperationId, code?: string, example?: string) {
  const all = examplesOf(id)
  const found = all.find(
    ({ status, name }) => (code ?? String(status)) === String(status) && (example ?? name) === name,
  )
  const detail = `The request asked for this error with 'Prefer: code=${code}'.`
  if (!found && example === undefined && /^5\d\d$/.test(code ?? '')) {
    return { status: Number(code), headers: { 'Preference-Applied': `code=${code}` }, detail }
  }
  if (!found) throw unknownPreference(id, all, [code && `code=${code}`, example && `example=${example}`])
  const { status, name, type, value } = found
  const applied = { 'Preference-Applied': `code=${status}${name ? `, example=${name}` : ''}` }
  const headers = { ...(type && { 'Content-Type': type }), ...found.headers, ...applied }
  return { status, headers, body: value, detail }
}

function examplesOf(id: OperationId): Example[] {
  return Object.entries(examples[id]).flatMap(([code, { type, headers, examples }]): Example[] => {
    const status = Number(code)
    const named = Object.entries(examples).map(([name, value]) => ({ status, type, headers, name, value }))
    return named.length > 0 ? named : [{ status, headers }]
  })
}

function unknownPreference(id: OperationId, all: readonly Example[], asked: readonly (string | undefined)[]): Problem {
  const what = asked.filter(Boolean).join(', ').slice(0, 100)
  const known = all.map(({ status, name }) => (name ? `code=${status}, example=${name}` : `code=${status}`))
  return new Problem(
    'invalid-preference',
    `The contract has no answer with ${what} for ${id}. Use one of: ${known.join('; ')}.`,
  )
}
