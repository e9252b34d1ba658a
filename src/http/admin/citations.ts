import { citations } from '../../contract/citations.gen.ts'
import type { Citations } from '../../contract/operations.ts'
import type { LoggedRequest } from '../../wire/exchanges.ts'

/**
 * Returns the requirements and open questions that a request touched: those of its operation and of the answer's status; if it was
 * refused, those of the fields that break the contract, or else of the status.
 */
export function touchedBy({ operationId, status, refusal }: LoggedRequest): Citations {
  const known = operationId && citations[operationId]
  if (!known) return none
  const ofStatus = known.statuses[status] ?? none
  if (status < 400) return merge([known.operation, ofStatus])
  const patterns = new Set(refusal?.pointers?.map((pointer) => pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')))
  const ofFields = [...patterns].flatMap((pattern) => known.fields[pattern] ?? [])
  return merge([...ofFields, ofStatus])
}

const none: Citations = { requirements: [], gaps: [] }

function merge(all: readonly Citations[]): Citations {
  return {
    requirements: [...new Set(all.flatMap(({ requirements }) => requirements))],
    gaps: [...new Set(all.flatMap(({ gaps }) => gaps))],
  }
}
