/** Variants of the transport of answers. */
import {
  changeHeaders,
  changeResponse,
  inChunks,
  isServicePath,
  onCalls,
  problem,
  withState,
  wrap,
} from '../wrapper.ts'
import { type Axis, behaviours } from './axis.ts'

/** Answers every `every`-th service call with 429. */
const throttle = (every: number) =>
  withState(() => {
    let calls = 0
    return wrap(async (request, inner) => {
      if (!isServicePath(request)) return inner(request)
      calls += 1
      return calls % every === 0 ? problem(429, { 'Retry-After': '0' }) : inner(request)
    })
  })

/** Compresses answers for clients that accept it. A client that calls the server as a function does not. */
const gzip = wrap(async (request, inner) => {
  const response = await inner(request)
  if (!/\bgzip\b/.test(request.headers.get('Accept-Encoding') ?? '')) return response
  const bytes = await response.arrayBuffer()
  const headers = new Headers(response.headers)
  if (bytes.byteLength === 0) return new Response(null, { status: response.status, headers })
  headers.delete('Content-Length')
  headers.set('Content-Encoding', 'gzip')
  const body = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Response(body, { status: response.status, headers })
})

/** Sends bodies in small chunks and without a length, even empty ones. */
const chunked = wrap(async (request, inner) => {
  const response = await inner(request)
  return [204, 304].includes(response.status) ? response : inChunks(response, 64)
})

const cors = (preflight: number) =>
  wrap(async (request, inner) => {
    const response = await inner(request)
    if (request.method === 'OPTIONS') return new Response(null, { status: preflight })
    if (preflight === 200) return response
    return changeHeaders(response, (headers) => {
      for (const name of [...headers.keys()]) if (name.startsWith('access-control-')) headers.delete(name)
    })
  })

export const transportAxes: readonly Axis[] = [
  behaviours('throttling', { 'every-fifth': throttle(5), 'every-seventh': throttle(7) }),
  behaviours('cors', { none: cors(405), 'preflight-200': cors(200), 'preflight-403': cors(403) }),
  behaviours('put-body', {
    'length-0': onCalls(['putObject'], async (request, inner) => {
      const response = await inner(request)
      return response.ok ? changeResponse(response, undefined, { headers: { 'Content-Length': '0' } }) : response
    }),
  }),
  behaviours('transfer', { chunked, gzip }),
]
