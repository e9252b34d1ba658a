/** Variants of the format of refusals. */
import { changeResponse, isServicePath, jsonOf, type Wrapper, wrap } from '../wrapper.ts'
import type { Axis } from './axis.ts'

/** Changes the service's refusals, but neither 5xx nor 429. */
function changeRefusals(change: (response: Response, detail: string) => Response): Wrapper {
  return wrap(async (request, inner) => {
    const response = await inner(request)
    if (!isServicePath(request) || response.status < 400 || response.status === 429 || response.status > 499) {
      return response
    }
    return change(response, String((await jsonOf(response))?.detail ?? 'Refused.'))
  })
}

const mapStatuses = (map: Readonly<Record<number, number>>) => () =>
  changeRefusals((response) => {
    const status = map[response.status] ?? response.status
    return new Response(response.body, { status, headers: response.headers })
  })

const answerJson = (body: (detail: string, status: number) => unknown) => () =>
  changeRefusals((response, detail) =>
    changeResponse(response, body(detail, response.status), { headers: { 'Content-Type': 'application/json' } }),
  )

const answerText = (type: string, body: (detail: string) => string) => () =>
  changeRefusals((response, detail) => {
    const headers = new Headers(response.headers)
    headers.set('Content-Type', type)
    return new Response(body(detail), { status: response.status, headers })
  })

export const errorAxes: readonly Axis[] = [
  {
    axis: 'error-status',
    values: {
      'invalid-422': mapStatuses({ 400: 422 }),
      'invalid-409': mapStatuses({ 400: 409 }),
      'invalid-413': mapStatuses({ 400: 413 }),
      'unauthorized-403': mapStatuses({ 401: 403 }),
      'unauthorized-404': mapStatuses({ 401: 404 }),
      'unauthorized-400': mapStatuses({ 401: 400 }),
      'unknown-410': mapStatuses({ 404: 410 }),
      'unknown-403': mapStatuses({ 404: 403 }),
      'all-400': mapStatuses({ 401: 400, 403: 400, 404: 400, 409: 400, 415: 400 }),
      'code-and-null': () =>
        changeRefusals((response, msg) =>
          changeResponse(
            response,
            { code: response.status * 100, msg, data: null },
            { status: 200, headers: { 'Content-Type': 'application/json' } },
          ),
        ),
      'success-false': () =>
        changeRefusals((response, message) =>
          changeResponse(
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
      'error-text': answerJson((detail) => ({ error: detail })),
      'error-code': answerJson((message, status) => ({ error: { code: `E${status}`, message } })),
      'detail-list': answerJson((msg) => ({ detail: [{ loc: ['body'], msg, type: 'value_error' }] })),
      'errors-object': answerJson((detail) => ({ message: 'Invalid.', errors: { request: [detail] } })),
      'plain-text': answerText('text/plain; charset=utf-8', (detail) => detail),
      html: answerText(
        'text/html',
        (detail) => `<!doctype html><h1>Error</h1><p>${detail.replaceAll('<', '&lt;')}</p>`,
      ),
      empty: () => changeRefusals((response) => changeResponse(response, undefined)),
    },
  },
]
