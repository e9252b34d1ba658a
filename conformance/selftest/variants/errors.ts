/** Variants of the format of refusals. */
import type { Json } from '../../../src/profile/template.ts'
import { without } from '../json.ts'
import { changeBodies, changeRefusals, inTurn } from '../profile-changes.ts'
import { serviceCalls } from '../wrapper.ts'
import { type Axis, shapes } from './axis.ts'

const detail: Json = { $: '/problem/detail', or: 'Refused.' }
const json = { 'content-type': 'application/json' }

const mapStatuses = (map: Readonly<Record<number, number>>) =>
  changeRefusals(({ status, ...template }) => ({ status: map[status] ?? status, ...template }))

/** Answers every refusal with a status of success. */
const answerSuccess = (body: (status: number) => Json) =>
  changeRefusals(({ status, headers }) => ({ status: 200, headers: { ...headers, ...json }, body: body(status) }))

const enclose = (head: { readonly [name: string]: Json }, body: Json): Json => ({
  Response: { ResponseHeader: { TransactionId: 'T7', ...head }, ResponseBody: body },
})

/** Answers all but unknown keys with 200, and tells refusals by a code of its own in the head of a root element. */
const codeInHead = inTurn(
  changeBodies(serviceCalls, (body) => enclose({ ReturnCode: '0000', ReturnMessage: 'SUCCESS' }, body)),
  changeRefusals((template) => {
    const head = { ReturnCode: `APV-${template.status}0`, ReturnMessage: detail }
    const status = template.status === 401 ? 401 : 200
    return { status, headers: { ...template.headers, ...json }, body: enclose(head, {}) }
  }),
)

/** Changes the refusals with a status of 4xx. */
const formatted: typeof changeRefusals = (change) =>
  changeRefusals((template) => (template.status >= 400 ? change(template) : template))

const answerJson = (body: (status: number) => Json) =>
  formatted(({ status, headers }) => ({ status, headers: { ...headers, ...json }, body: body(status) }))

const answerText = (type: string, text: Json) =>
  formatted(({ status, headers }) => ({ status, headers: { ...headers, 'content-type': type }, text }))

/** The message of the first error by the place of its field, such as `steps[1].approvers`. */
const messageByField: Json = {
  $if: '/problem/errors',
  present: {
    $entries: '/problem/errors/0/pointer',
    key: { $: '0', as: 'brackets' },
    value: { $: '/problem/errors/0/message' },
  },
  absent: { request: detail },
}

export const errorAxes: readonly Axis[] = [
  shapes('error-status', {
    'invalid-422': mapStatuses({ 400: 422 }),
    'invalid-409': mapStatuses({ 400: 409 }),
    'invalid-413': mapStatuses({ 400: 413 }),
    'unauthorized-403': mapStatuses({ 401: 403 }),
    'unauthorized-404': mapStatuses({ 401: 404 }),
    'unauthorized-400': mapStatuses({ 401: 400 }),
    'unknown-410': mapStatuses({ 404: 410 }),
    'unknown-403': mapStatuses({ 404: 403 }),
    'all-400': mapStatuses({ 401: 400, 403: 400, 404: 400, 409: 400, 415: 400 }),
    'code-and-null': answerSuccess((status) => ({ code: status * 100, msg: detail, data: null })),
    'code-in-head': codeInHead,
    'success-false': answerSuccess((status) => ({ success: false, error: { code: status, message: detail } })),
  }),
  shapes('error-format', {
    'error-text': answerJson(() => ({ error: detail })),
    'error-code': answerJson((status) => ({ error: { code: `E${status}`, message: detail } })),
    'detail-list': answerJson(() => ({ detail: [{ loc: ['body'], msg: detail, type: 'value_error' }] })),
    'errors-object': answerJson(() => ({ message: 'Invalid.', errors: { request: [detail] } })),
    'by-field': answerJson(() => ({ error: { on: messageByField } })),
    'plain-text': answerText('text/plain; charset=utf-8', detail),
    html: answerText('text/html', { $text: ['<!doctype html><h1>Error</h1><p>', detail, '</p>'] }),
    empty: formatted(({ status, headers }) => ({ status, headers: without(headers, 'content-type') })),
  }),
]
