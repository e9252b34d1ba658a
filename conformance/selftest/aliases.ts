import { mapNamed } from './json.ts'
import {
  bodyOf,
  callOf,
  changeAnswers,
  changeRequest,
  compose,
  isServicePath,
  jsonOf,
  onCalls,
  serviceCalls,
  type Wrapper,
  wrap,
} from './wrapper.ts'

/** Returns true if a request uploads a file to storage, at any address. */
function isPut(request: Request): boolean {
  return request.method === 'PUT' && !isServicePath(request)
}

/** Replaces session identifiers in answers by aliases, and translates them back in requests. */
export function aliasSessions(alias: (real: string, index: number) => unknown): Wrapper {
  const aliases = new Map<string, unknown>()
  const reals = new Map<unknown, string>()
  const aliasOf = (real: string) => {
    if (!aliases.has(real)) {
      aliases.set(real, alias(real, aliases.size))
      reals.set(aliases.get(real), real)
    }
    return aliases.get(real)
  }
  // Some variants use the session's identifier for the document, so it may also come back as a document's.
  const shownDocument = (id: unknown) => aliases.get(String(id)) ?? id
  return compose(
    changeAnswers(['requestUpload', 'confirmUpload'], (body) =>
      mapNamed(body, 'session_id', (real) => aliasOf(String(real))),
    ),
    changeAnswers(serviceCalls, (body) => mapNamed(body, 'document_id', shownDocument)),
    onCalls(['confirmUpload', 'executeWorkflow'], async (request, inner) => {
      const json = await bodyOf(request)
      if (!json) return inner(request)
      const realOf = (id: unknown) => reals.get(id) ?? id
      const understood = mapNamed(mapNamed(json, 'session_id', realOf), 'document_id', realOf)
      return inner(await changeRequest(request, { json: understood }))
    }),
  )
}

/** Replaces storage keys in answers and upload URLs by aliases, and translates them back in requests. */
export function aliasKeys(alias: (real: string, fileName: string) => string): Wrapper {
  const names = new Map<string, string>()
  const reals = new Map<string, string>()
  const aliasOf = (real: string) => {
    const shown = alias(real, names.get(real) ?? real.split('/').at(-1) ?? '')
    reals.set(shown, real)
    return shown
  }
  return compose(
    onCalls(['requestUpload'], async (request, inner) => {
      const { file_name } = (await bodyOf(request)) ?? {}
      const response = await inner(request)
      if (response.ok) names.set(String((await jsonOf(response))?.key), String(file_name))
      return response
    }),
    aliasUrls((url, body) => {
      url.pathname = `/storage/${encodeKey(aliasOf(String(body.key)).replace(/^\//, ''))}`
    }),
    changeAnswers(['requestUpload', 'confirmUpload'], (body) => mapNamed(body, 'key', (real) => aliasOf(String(real)))),
    onCalls(['confirmUpload'], async (request, inner) => {
      const json = mapNamed(await bodyOf(request), 'key', (shown) => reals.get(String(shown)) ?? shown)
      return inner(await changeRequest(request, { json }))
    }),
  )
}

const encodeKey = (key: string) => key.split('/').map(encodeURIComponent).join('/')

/** Changes the upload URL in answers, and translates it back in requests. */
export function aliasUrls(change: (url: URL, upload: Record<string, unknown>, index: number) => void): Wrapper {
  const reals = new Map<string, string>()
  return compose(
    changeAnswers(['requestUpload'], (body) => {
      if (!URL.canParse(String(body.upload_url))) return body
      const shown = new URL(String(body.upload_url))
      change(shown, body, reals.size)
      reals.set(shown.href, String(body.upload_url))
      return { ...body, upload_url: shown.href }
    }),
    wrap(async (request, inner) => {
      const url = callOf(request) === undefined || isPut(request) ? reals.get(request.url) : undefined
      return inner(url ? await changeRequest(request, { url }) : request)
    }),
  )
}
