/** Checks of requirements from standards and good practice. A failure is a warning. */
import { confirmed, unknownSession } from '../evidence/documents.ts'
import { type Evidence, resultIfSucceeded, wasCarriedOut } from '../evidence/evidence.ts'
import { execution } from '../evidence/executions.ts'
import { show } from '../evidence/show.ts'
import { shownToSecond, workflow } from '../evidence/workflows.ts'
import { describeAnswer, type Exchange, succeeded, succeededLike } from '../wire/exchange.ts'
import { redacted } from '../wire/redact.ts'
import { type Checks, fail, notShown, pass } from './check.ts'

export const inheritedChecks: Checks = {
  'http.unauthorized-has-challenge'(evidence) {
    workflow(evidence, 2)
    const answer = evidence.last('read without key')
    if (answer.status !== 401) return notShown(`${describeAnswer(answer)}.`)
    const challenge = answer.headers.get('WWW-Authenticate')
    return challenge
      ? pass(`The challenge is ${show(challenge)}.`)
      : fail(`${describeAnswer(answer)} without WWW-Authenticate.`, 'outcome', { exchange: answer })
  },
  'http.method-not-allowed-has-allow'(evidence) {
    const answer = evidence.last('delete workflows')
    if (answer.status !== 405) return notShown(`${describeAnswer(answer)}.`)
    return answer.headers.has('Allow')
      ? pass(`${describeAnswer(answer)} with Allow.`)
      : fail(`${describeAnswer(answer)} without Allow.`, 'outcome', { exchange: answer })
  },
  'http.json-is-declared'(evidence) {
    const { created, details } = workflow(evidence, 1)
    const wrong = [created, details].find(
      ({ json, headers }) => json !== undefined && !isJson(headers.get('Content-Type') ?? ''),
    )
    return wrong
      ? fail(
          `${describeAnswer(wrong)} with JSON, but with Content-Type ${show(wrong.headers.get('Content-Type'))}.`,
          'outcome',
          { exchange: wrong, shown: wrong.headers.get('Content-Type') },
        )
      : pass('JSON answers have a JSON Content-Type.')
  },
  'secrets.key-is-not-repeated'({ answers }) {
    // The transcript is redacted, so a repeated key appears as its placeholder.
    const repeating = answers.find(
      ({ bytes, headers }) =>
        new TextDecoder().decode(bytes).includes(redacted.key) ||
        [...headers].some(([, value]) => value.includes(redacted.key)),
    )
    return repeating
      ? fail(`${describeAnswer(repeating)} with the key, or a part of it, in the answer.`, 'outcome', {
          exchange: repeating,
        })
      : pass('No answer repeats the key.')
  },
  'tenants.are-isolated'(evidence) {
    workflow(evidence, 1)
    if (!evidence.settings.hasSecondKey)
      return notShown('There is no second key. Set COUNTERSIGN_API_KEY_2 to a key of another tenant.')
    const own = evidence.last('create as second tenant')
    if (!wasCarriedOut(evidence, own))
      return notShown(
        `${describeAnswer(own)} to the second key, so isolation cannot be checked. Check COUNTERSIGN_API_KEY_2.`,
      )
    const read = evidence.last('read as second tenant')
    const shown = shownToSecond(evidence)
    const [taken] = [...(shown === 'of-another' ? [read] : []), ...takenFromAnother(evidence, shown)]
    const message = `${describeAnswer(taken ?? read)} to the key of another tenant`
    if (taken) {
      const advice = 'If both keys belong to one tenant, use a key of another.'
      return fail(`${message}. ${advice}`, 'outcome', { exchange: taken })
    }
    if (shown === 'unknown') return notShown(`${message}, and no details show whose they are.`)
    return pass(shown === 'own' ? `${message}, which has a workflow of its own with that identifier.` : `${message}.`)
  },
  'storage.signature-is-verified'(evidence) {
    if (!evidence.has('put object with changed signature')) {
      return notShown('upload_url has no signature in its query.')
    }
    const changed = evidence.last('put object with changed signature')
    const removed = evidence.last('put object without signature')
    const name = changed.label?.about
    if (succeeded(changed)) {
      return fail(`${describeAnswer(changed)} to a changed ${name}.`, 'outcome', { exchange: changed })
    }
    return succeeded(removed)
      ? fail(`${describeAnswer(removed)} to an address without ${name}.`, 'outcome', { exchange: removed })
      : pass(`${describeAnswer(changed)} to a changed ${name}, and ${removed.status} without it.`)
  },
}

/**
 * Returns the answers to calls for another tenant's objects that were carried out: an execution and a confirmation. If the identifier
 * of a workflow may be that of one of its own, as `shown` says, an execution tells nothing.
 */
function takenFromAnother(evidence: Evidence, shown: ReturnType<typeof shownToSecond>): Exchange[] {
  const isAnothers = shown === 'nothing' || shown === 'of-another'
  const executed = resultIfSucceeded(() => ({
    control: execution(evidence, 1).exchange,
    answers: isAnothers ? evidence.all('execute as second tenant') : [],
  }))
  const confirming = resultIfSucceeded(() => {
    const control = confirmed(evidence, 1)
    const unknown = evidence.about('confirm upload 3 as second tenant', unknownSession)
    const isAnySessionConfirmed = unknown !== undefined && succeededLike(unknown, control)
    const answers = evidence.all('confirm upload 3 as second tenant').filter((answer) => answer !== unknown)
    return { control, answers: isAnySessionConfirmed ? [] : answers }
  })
  return [executed, confirming].flatMap((call) =>
    call ? call.answers.filter((answer) => succeededLike(answer, call.control)) : [],
  )
}

/** Returns true if a media type is JSON or has the suffix `+json` (RFC 6839). */
function isJson(type: string): boolean {
  return /[/+]json/i.test(type)
}
