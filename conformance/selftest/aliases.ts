import { changeValues } from './json.ts'
import {
  bodyCalls,
  callOf,
  changeAnswers,
  changeBody,
  changeByPast,
  changeRequest,
  compose,
  isServicePath,
  serviceCalls,
  type Wrapper,
  withState,
  wrap,
} from './wrapper.ts'

/** Returns true if a request uploads a file to storage, at any address. */
function isPut(request: Request): boolean {
  return request.method === 'PUT' && !isServicePath(request)
}

/** Replaces what uploads have as a member in answers by aliases, and translates them back in requests. */
function aliasMember(
  member: 'session_id' | 'key',
  alias: (real: string, index: number, fileName: string) => unknown,
  inner: (shown: ReadonlyMap<unknown, unknown>) => Wrapper = () => compose(),
): Wrapper {
  return withState(() => {
    const shown = new Map<unknown, unknown>()
    const reals = new Map<unknown, unknown>()
    // Some variants use the session's identifier for the document, so it may also come back as a document's.
    const translate = (ids: ReadonlyMap<unknown, unknown>) =>
      changeValues((name, id) => ([member, 'document_id'].includes(name) ? (ids.get(id) ?? id) : id))
    return compose(
      changeByPast(['requestUpload'], (body, past) => {
        const { file_name } = past.at(-1)?.sent ?? {}
        shown.set(body[member], alias(String(body[member]), shown.size, String(file_name)))
        reals.set(shown.get(body[member]), body[member])
        return body
      }),
      inner(shown),
      changeAnswers(serviceCalls, translate(shown)),
      ...bodyCalls.map((call) => changeBody(call, translate(reals))),
    )
  })
}

/** Replaces session identifiers in answers by aliases, and translates them back in requests. */
export function aliasSessions(alias: (real: string, index: number, fileName: string) => unknown): Wrapper {
  return aliasMember('session_id', alias)
}

/** Replaces storage keys in answers and upload URLs by aliases, and translates them back in requests. */
export function aliasKeys(alias: (real: string, fileName: string) => string): Wrapper {
  const encodeKey = (key: unknown) => String(key).replace(/^\//, '').split('/').map(encodeURIComponent).join('/')
  return aliasMember(
    'key',
    (real, _, fileName) => alias(real, fileName),
    (shown) =>
      aliasUrls((url, { key }) => {
        url.pathname = `/storage/${encodeKey(shown.get(key))}`
      }),
  )
}

/** Changes the upload URL in answers, and translates it back in requests. */
export function aliasUrls(change: (url: URL, upload: Record<string, unknown>, index: number) => void): Wrapper {
  return withState(() => {
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
  })
}
