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

  /** True if the admin token is missing or wrong. */
  get needsToken(): boolean {
    return this.code === 'admin-forbidden'
  }
}

/** The parameters and body of a call of the admin API. */
export type Request<Id extends AdminOperationId> = {
  readonly query?: Readonly<Record<string, string | number | undefined>>
  /** An API key; sent only to open the world of that key. */
  readonly key?: string
  readonly signal?: AbortSignal
  /** A body that is sent as it is. */
  readonly file?: Blob
} & (keyof Params<Id> extends never ? unknown : { readonly params: Params<Id> }) &
  (Body<Id> extends undefined ? unknown : { readonly body: Partial<Body<Id>> })

const tokenPlace = 'countersign-admin-token'

/** Calls the admin API of the mock that served the page. */
export class Admin {
  /** The URL of the page: the mock may be behind a proxy that adds a prefix. */
  readonly #base: URL
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>

  constructor(base: URL, storage: Pick<Storage, 'getItem' | 'setItem'>) {
    this.#base = base
    this.#storage = storage
  }

  /** Keeps the admin token until the tab is closed. */
  setToken(token: string): void {
    this.#storage.setItem(tokenPlace, token)
  }

  /** Makes a call and returns the body of its answer. Throws an `AdminError` for a refusal. */
  async call<Id extends AdminOperationId>(id: Id, request: Request<Id>): Promise<Answer<Id>['body']> {
    const response = await this.send(id, request)
    return (response.status === 204 ? undefined : await response.json()) as Answer<Id>['body']
  }

  /** Makes a call and returns its answer. Throws an `AdminError` for a refusal. */
  async send<Id extends AdminOperationId>(id: Id, request: Request<Id>): Promise<Response> {
    const { query = {}, key, signal, file } = request
    const { params = {}, body } = request as { params?: Readonly<Record<string, string>>; body?: unknown }
    const { method, path } = adminOperations[id]
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    const url = new URL(filled.slice(1), this.#base)
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
    const token = this.#storage.getItem(tokenPlace)
    const response = await fetch(url, {
      method,
      headers: {
        ...(token !== null && { 'X-Admin-Token': token }),
        ...(key !== undefined && { Authorization: key }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(file && { 'Content-Type': 'application/octet-stream' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(file && { body: file }),
      ...(signal && { signal }),
    })
    if (!response.ok) throw await errorOf(response)
    return response
  }
}

async function errorOf(response: Response): Promise<AdminError> {
  const text = await response.text()
  if (!response.headers.get('Content-Type')?.includes('json')) {
    return new AdminError(response.status, 'unknown', text || `The mock answered ${response.status}.`)
  }
  const { code, detail, errors = [] } = JSON.parse(text) as Schemas['AdminProblem']
  const violations = errors.slice(0, 3).map(({ pointer, message }) => `${pointer} ${message}`)
  return new AdminError(response.status, code, [detail, ...violations].join(' '))
}
