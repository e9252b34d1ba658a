/** Bodies that break rules, most of them one each: the words of a refusal, and what is accepted, depend on the field and its flaw. */
import { isObject, valueAt } from '../../src/contract/json.ts'
import { changed, missing } from '../flow/changed.ts'

/** The documented calls that have a body. */
export type BrokenCall = 'createWorkflow' | 'executeWorkflow' | 'requestUpload' | 'confirmUpload'

/** Values of another type, empty values, and values of the right type that a rule may refuse. */
const [number, text, odd] = [7331, 'no-such-type', 'no-such-value']

/** What is wrong, by call and field. Fields are in the first or the second item of a list, to tell positions from constants. */
const flaws: Readonly<Record<BrokenCall, Readonly<Record<string, readonly unknown[]>>>> = {
  createWorkflow: {
    '/name': ['', missing, number],
    '/description': [missing, number],
    '/isSequential': [text],
    '/steps': [missing, text, []],
    '/steps/1': [text],
    '/steps/0/step_id': [missing, '', number],
    '/steps/1/step_id': [{ from: '/steps/0/step_id' }],
    '/steps/1/name': [missing, '', number],
    '/steps/0/order': [missing, text, 0],
    '/steps/1/order': [{ from: '/steps/0/order' }, 1.5],
    '/steps/1/type': [missing, odd],
    // Errors of approvers may name the whole list, so other positions than theirs.
    '/steps/0/approvers': [missing, text, []],
    '/steps/1/approvers/0/email': [missing, odd, number],
    '/steps/0/approvers/1/name': [missing, number],
    '/steps/1/estimated_duration': [missing, text, -5],
    // An empty object breaks several rules: that tells what belongs to an error from what belongs to the answer.
    '': [[], {}],
  },
  executeWorkflow: {
    '/document_id': ['', number],
    '/submitter_email': [missing, odd],
    '/execution_mode': [missing, odd, 'express'],
    '/priority': [missing, odd, 'low', 'normal', 'medium', 'urgent', 'critical'],
  },
  requestUpload: {
    '/file_name': ['', number, 'a/b.pdf'],
    '/content_type': [missing, odd],
    '/file_size': [missing, text, 0],
    '': [{}],
  },
  confirmUpload: {
    '/session_id': [missing, odd],
    '/completed_files': [text, []],
    '/completed_files/0/key': [missing],
    '/completed_files/0/file_name': [missing],
  },
}

/** A body that breaks a rule. */
export interface BrokenBody {
  readonly call: BrokenCall
  /** What is wrong with it. */
  readonly name: string
  readonly body: unknown
}

/**
 * Breaks one rule at a time of the bodies of calls, and of some all at once, and sends other priorities that services often have.
 * Executions are for several documents, since a deployment may run a workflow only once for each. An identifier of digits is sent as a
 * number too: that may be accepted.
 */
export function brokenBodies({
  documents,
  ...sound
}: Readonly<Record<BrokenCall, object>> & { readonly documents: readonly string[] }): BrokenBody[] {
  return (Object.keys(flaws) as BrokenCall[]).flatMap((call) =>
    Object.entries(flaws[call]).flatMap(([pointer, values]) =>
      values.map((flaw, index) => {
        const which = pointer === '/execution_mode' ? index : values.length - 1 - index
        const document = documents[which % documents.length]
        const body = { ...sound[call], ...(call === 'executeWorkflow' && { document_id: document }) }
        const value = pointer === '/document_id' && flaw === number ? (digitsOf(document) ?? flaw) : flaw
        const isCopy = isObject(value) && value.from !== undefined
        const what = value === missing ? 'missing' : isCopy ? 'twice' : JSON.stringify(value)
        const name = `${call} with ${pointer || 'body'} ${what}`
        return { call, name, body: changed(body, pointer, isCopy ? valueAt(body, String(value.from)) : value) }
      }),
    ),
  )
}

const digitsOf = (text = '') => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)
