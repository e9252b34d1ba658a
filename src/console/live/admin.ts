import { adminOperations } from '../../contract/admin-operations.gen.ts'
import type { AdminOperationId, Answer, Body, Params, Schemas } from '../../contract/operations.ts'

/** A refusal of the admin API. */
export class AdminError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
  ) {
    super(detail)
  }
}

/** Returns true for the refusal of a call whose admin token is missing or wrong. */
export function isTokenMissing(error: unknown): boolean {
  return error instanceof AdminError && error.code === 'admin-forbidden'
}

/** The parameters and body of a call of the admin API. */
export type AdminRequest<Id extends AdminOperationId> = {
  readonly query?: Readonly<Record<string, string | number | undefined>>
  /** An API key; sent only to open the world of that key. */
  readonly key?: string
  /** A body that is sent as it is. */
  readonly file?: Blob
} & (keyof Params<Id> extends never ? unknown : { readonly params: Params<Id> }) &
  (Body<Id> extends undefined ? unknown : { readonly body: Partial<Body<Id>> })

const tokenPlace = 'countersign-admin-token'

/** Keeps the admin token until the tab is closed. */
export function keepToken(token: string): void {
  sessionStorage.setItem(tokenPlace, token)
}

/** Makes a call and returns the body of its answer. Throws an `AdminError` for a refusal. */
export async function callAdmin<Id extends AdminOperationId>(
  id: Id,
  request: AdminRequest<Id>,
  signal?: AbortSignal,
): Promise<Answer<Id>['body']> {
  const response = await sendToAdmin(id, request, signal)
  return (response.status === 204 ? undefined : await response.json()) as Answer<Id>['body']
}

/** Makes a call of the mock that served the page, and returns its answer. Throws an `AdminError` for a refusal. */
export async function sendToAdmin<Id extends AdminOperationId>(
  id: Id,
  request: AdminRequest<Id>,
  signal?: AbortSignal,
): Promise<Response> {
  const { query = {}, key, file } = request
  const { params = {}, body } = request as { params?: Readonly<Record<string, string>>; body?: unknown }
  const { method, path } = adminOperations[id]
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  // The mock may be behind a proxy that adds a prefix.
  const url = new URL(filled.slice(1), new URL('.', location.href))
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  const token = sessionStorage.getItem(tokenPlace)
  const response = await fetch(url, {
    method,
    headers: {
      ...(token !== null && { 'X-Admin-Token': token }),
      ...(key !== undefined && { Authorization: key }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(file && { 'Content-Type': 'application/octet-stream' }),
    },
    body: file ?? JSON.stringify(body),
    signal: signal ?? null,
  })
  if (!response.ok) throw await errorOf(response)
  return response
}

async function errorOf(response: Response): Promise<AdminError> {
  const { status, headers } = response
  const text = await response.text()
  if (!headers.get('Content-Type')?.includes('json')) {
    return new AdminError(status, 'unknown', text || `The mock answered ${status}.`)
  }
  const problem: Schemas['AdminProblem'] = JSON.parse(text)
  return new AdminError(status, problem.code, refusalText(problem))
}

/** Returns what a problem says, and the first rules that were broken. */
export function refusalText({ detail, errors = [] }: Pick<Schemas['AdminProblem'], 'detail' | 'errors'>): string {
  return [detail, ...errors.slice(0, 10).map(({ pointer, message }) => `${pointer} ${message}`)].join(' ')
}
