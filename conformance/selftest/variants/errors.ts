/** Variants of the format of refusals. */
import { answering, isServicePath, jsonOf, type Wrapper, wrap } from '../wrapper.ts'
import type { Axis } from './axis.ts'

/** Changes the service's refusals, but neither 5xx nor 429. */
function refusals(change: (response: Response, detail: string) => Response): Wrapper {
  return wrap(async (request, inner) => {
    const response = await inner(request)
    if (!isServicePath(request) || response.status < 400 || response.status === 429 || response.status > 499) {
      return response
    }
    return change(response, String((await jsonOf(response))?.detail ?? 'Refused.'))
  })
}

const statuses = (map: Readonly<Record<number, number>>) => () =>
  refusals((response) => {
    const status = map[response.status] ?? response.status
    return new Response(response.body, { status, headers: response.headers })
  })

const json = (body: (detail: string, status: number) => unknown) => () =>
  refusals((response, detail) =>
    answering(response, body(detail, response.status), { headers: { 'Content-Type': 'application/json' } }),
  )

const text = (type: string, body: (detail: string) => string) => () =>
  refusals((response, detail) => {
    const headers = new Headers(response.headers)
    headers.set('Content-Type', type)
    return new Response(body(detail), { status: response.status, headers })
  })

export const errorAxes: readonly Axis[] = [
  {
    axis: 'error-status',
    values: {
      'invalid-422': statuses({ 400: 422 }),
      'invalid-409': statuses({ 400: 409 }),
      'invalid-413': statuses({ 400: 413 }),
      'unauthorized-403': statuses({ 401: 403 }),
      'unauthorized-404': statuses({ 401: 404 }),
      'unauthorized-400': statuses({ 401: 400 }),
      'unknown-410': statuses({ 404: 410 }),
      'unknown-403': statuses({ 404: 403 }),
      'all-400': statuses({ 401: 400, 403: 400, 404: 400, 409: 400, 415: 400 }),
      'code-and-null': () =>
        refusals((response, msg) =>
          answering(
            response,
            { code: response.status * 100, msg, data: null },
            { status: 200, headers: { 'Content-Type': 'application/json' } },
          ),
        ),
      'success-false': () =>
        refusals((response, message) =>
          answering(
            response,
            { success: false, error: { code: response.status, message } },
            { status: 200, headers: { 'Content-Type': 'application/json' } },
          ),
        ),
    },
  },
  {
    axis: 'error-format',
    values: {
      'error-text': json((detail) => ({ error: detail })),
      'error-code': json((message, status) => ({ error: { code: `E${status}`, message } })),
      'detail-list': json((msg) => ({ detail: [{ loc: ['body'], msg, type: 'value_error' }] })),
      'errors-object': json((detail) => ({ message: 'Invalid.', errors: { request: [detail] } })),
      'plain-text': text('text/plain; charset=utf-8', (detail) => detail),
      html: text('text/html', (detail) => `<!doctype html><h1>Error</h1><p>${detail.replaceAll('<', '&lt;')}</p>`),
      empty: () => refusals((response) => answering(response, undefined)),
    },
  },
]
