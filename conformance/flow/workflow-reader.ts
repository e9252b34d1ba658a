import { Broken } from '../judging/check.ts'
import {
  bare,
  distinct,
  identifierCandidates,
  identifiersInHeaders,
  identifiersInLinks,
  type Located,
  membersOf,
  suffixedIdentifiers,
  unnamedIdentifiers,
} from '../reading/locate.ts'
import { locatedBy } from '../reading/profile.ts'
import { type Exchange, label, plainText, refusalLabel, succeeded } from '../wire/exchange.ts'
import type { Target } from '../wire/target.ts'
import type { Settling } from './settling.ts'

/** A workflow's identifier, verified by reading its details with it. */
export interface ReadWorkflow {
  readonly id: Located
  readonly details: Exchange
}

/** How many values of the create answer are tried as the identifier. */
const mostTried = 8

/**
 * Finds a created workflow's identifier in the answer to creating it, by reading the details with each candidate. Where the
 * answer names a long-running operation instead, that is asked. Throws `Broken` where none reads.
 */
export async function readWorkflow(
  target: Target,
  settling: Settling,
  created: Exchange,
  sent: object,
  locator?: string,
): Promise<ReadWorkflow> {
  const guessed = locator === undefined ? candidatesIn(created, sent) : []
  const candidates =
    locator === undefined
      ? guessed.slice(0, mostTried)
      : [locatedBy('workflow_id', locator, created.json, 'get-workflow.method-and-path')]
  let found: ReadWorkflow | undefined
  let asked = candidates
  const round = async (): Promise<Exchange> => {
    let answer: Exchange | undefined
    for (const id of asked) {
      const details = await target.getWorkflow(String(id.value))
      answer = details
      // 202 says that it is not ready yet; where it never says more, it has to do.
      if (succeeded(details)) found = { id, details }
      if (found && details.status !== 202) return details
    }
    // Later rounds ask for the likeliest only; each costs the deployment a request.
    asked = found ? [found.id] : asked.slice(0, 2)
    asked = [...asked, ...(found ? [] : await operationResults(target, created))]
    return answer ?? created
  }
  const isFound = ({ status }: Exchange) => found !== undefined && status !== 202
  const last = await settling.until(round, isFound)
  if (found) return found
  const [first] = candidates
  if (first && (last.status === 401 || last.status === 403)) {
    throw new Broken('auth.every-service-call', 'fail', `${label(last)}, although another call takes the key as it is`)
  }
  if (first) {
    const path = `${target.url}/api/v1/workflows/${encodeURIComponent(String(first.value))}`
    const headers = { ...target.auth, 'Content-Type': 'application/json' }
    if (succeeded(await target.send(new Request(path, { headers })))) {
      const message = `${label(last)}; with the Content-Type of a body, the call is accepted`
      throw new Broken('get-workflow.no-request-body', 'fail', message)
    }
    const answered = refusalLabel(last)
    // Where nothing is called the workflow's identifier, it may be a value that was not tried.
    const isNamed = locator !== undefined || namedIn(created).some(({ value }) => value === first.value)
    const message = isNamed
      ? `${answered} to ${guessed.length > mostTried ? `the ${mostTried} likeliest identifiers` : 'every identifier'} that creating answered`
      : `${answered}; perhaps no value that was tried is the workflow's identifier; set locators.workflow_id in a profile`
    throw new Broken('get-workflow.method-and-path', isNamed ? 'fail' : 'inconclusive', message)
  }
  const message = 'The answer to creating shows no identifier; set locators.workflow_id in a profile'
  throw new Broken('get-workflow.method-and-path', 'inconclusive', message)
}

/**
 * What may be the identifier: what is named so, what links name, what is called some identifier, and then any value that the
 * client did not send.
 */
function candidatesIn(created: Exchange, sent: object): Located[] {
  // Texts only: a counter of identifiers may well stand at a number that was sent, such as a step's order.
  const ours = new Set(membersOf(sent).flatMap(({ value }) => (typeof value === 'string' ? [value] : [])))
  const suffixed = suffixedIdentifiers(created.json)
  const candidates = [
    ...namedIn(created),
    ...suffixed.filter((one) => !isOfOthers(one)),
    ...unnamedIdentifiers(created.json).filter((one) => !isOfOthers(one)),
    ...identifierCandidates(plainText(created), 'workflow'),
    ...suffixed.filter(isOfOthers),
  ].filter(({ value }) => !ours.has(String(value)) && !String(value).includes('/'))
  return distinct(candidates)
}

/** What names, links and headers call the workflow's identifier. */
function namedIn({ headers, json }: Exchange): Located[] {
  return named([
    ...identifiersInLinks(headers, json, 'workflows'),
    ...identifiersInHeaders(headers, 'workflow'),
    ...identifierCandidates(json, 'workflow'),
  ])
}

/** Whether a member identifies the call, or whom it is for. */
function isOfOthers({ name }: Located): boolean {
  return /^(trace|span|request|req|correlation|transaction|message|tenant|user|owner|account|org|organization|step|status|error|result)(id|no|number|code)$/.test(
    bare(name),
  )
}

/** What is called a workflow's identifier goes before links; everything else stays behind them. */
function named(candidates: Located[]): Located[] {
  const first = candidates.filter(({ name }) => /^workflow_?id$/i.test(name))
  return [...first, ...candidates]
}

/** What a long-running operation, named in the answer or in `Location`, says that it has made. */
async function operationResults(target: Target, { headers, json }: Exchange): Promise<Located[]> {
  const names = [...membersOf(json).map(({ value }) => value), headers.get('Location')]
  const operation = names
    .map((value) => String(value ?? '').match(/(?:^|\/)((?:operations|jobs|tasks)\/[\w.-]+)$/)?.[1])
    .find(Boolean)
  if (!operation) return []
  const answer = await target.send(new Request(`${target.url}/api/v1/${operation}`, { headers: target.auth }))
  return identifiersInLinks(answer.headers, answer.json, 'workflows')
}
