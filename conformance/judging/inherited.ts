/** What is not in interface.md and to be expected all the same; a failure is a warning. */
import { confirmed } from '../evidence/documents.ts'
import { type Evidence, ifCameAbout } from '../evidence/evidence.ts'
import { execution } from '../evidence/executions.ts'
import { show } from '../evidence/show.ts'
import { workflow } from '../evidence/workflows.ts'
import { type Exchange, label, succeeded, succeededLike } from '../wire/exchange.ts'
import { redacted } from '../wire/redact.ts'
import { type Check, fail, notShown, pass } from './check.ts'

export const inheritedChecks: readonly Check[] = [
  {
    id: 'http.unauthorized-has-challenge',
    judge(evidence) {
      workflow(evidence, 2)
      const answer = evidence.last('read without key')
      if (answer.status !== 401) return notShown(`${label(answer)}.`)
      const challenge = answer.headers.get('WWW-Authenticate')
      return challenge
        ? pass(`It is ${show(challenge)}.`)
        : fail(`${label(answer)} without WWW-Authenticate.`, 'outcome')
    },
  },
  {
    id: 'http.method-not-allowed-has-allow',
    judge(evidence) {
      const answer = evidence.last('delete workflows')
      if (answer.status !== 405) return notShown(`${label(answer)}.`)
      return answer.headers.has('Allow')
        ? pass(`${label(answer)} with Allow.`)
        : fail(`${label(answer)} without Allow.`, 'outcome')
    },
  },
  {
    id: 'http.json-is-declared',
    judge(evidence) {
      const { created, details } = workflow(evidence, 1)
      const wrong = [created, details].find(
        ({ json, headers }) => json !== undefined && !isJson(headers.get('Content-Type') ?? ''),
      )
      return wrong
        ? fail(`${label(wrong)} with JSON as ${show(wrong.headers.get('Content-Type'))}.`, 'outcome')
        : pass('JSON is declared as what it is.')
    },
  },
  {
    id: 'secrets.key-is-not-repeated',
    judge({ answers }) {
      // The transcript is redacted, so a repeated key shows as its placeholder.
      const repeating = answers.find(
        ({ bytes, headers }) =>
          new TextDecoder().decode(bytes).includes(redacted.key) ||
          [...headers].some(([, value]) => value.includes(redacted.key)),
      )
      return repeating ? fail(`${label(repeating)} with the key in it.`, 'outcome') : pass('No answer repeats the key.')
    },
  },
  {
    id: 'tenants.are-isolated',
    judge(evidence) {
      workflow(evidence, 1)
      if (!evidence.settings.hasSecondKey) return notShown('There is no second key; set COUNTERSIGN_API_KEY_2.')
      const own = evidence.last('create as second tenant')
      if (!succeeded(own)) return notShown(`${label(own)} to the second key, so it cannot be compared with.`)
      const read = evidence.last('read as second tenant')
      const taken = [...(succeeded(read) ? [read] : []), ...takenFromAnother(evidence)]
      const [first = read] = taken
      const message = `${label(first)} to the key of another tenant.`
      return taken.length > 0 ? fail(message, 'outcome') : pass(message)
    },
  },
  {
    id: 'storage.signature-is-verified',
    judge(evidence) {
      if (!evidence.has('put object with changed signature')) {
        return notShown('upload_url has no signature in its query.')
      }
      const answer = evidence.last('put object with changed signature')
      const name = answer.label?.about
      return succeeded(answer)
        ? fail(`${label(answer)} to a changed ${name}.`, 'outcome')
        : pass(`${label(answer)} to a changed ${name}.`)
    },
  },
]

/** The calls for what is another tenant's that were carried out: executing a workflow, and confirming an upload. */
function takenFromAnother(evidence: Evidence): Exchange[] {
  const executed = ifCameAbout(() => ({
    control: execution(evidence, 1).exchange,
    answers: evidence.all('execute as second tenant'),
  }))
  const confirming = ifCameAbout(() => ({
    control: confirmed(evidence, 1),
    answers: evidence.all('confirm upload 3 as second tenant'),
  }))
  return [executed, confirming].flatMap((call) =>
    call ? call.answers.filter((answer) => succeededLike(answer, call.control)) : [],
  )
}

/** Whether a media type is JSON or has the suffix `+json` (RFC 6839). */
function isJson(type: string): boolean {
  return /[/+]json/i.test(type)
}
