import { type HeaderList, type Incoming, publicUrlOf } from '../wire/exchange.ts'

interface RewrittenParts extends Pick<Incoming, 'path' | 'search'> {
  /** @default the public URL */
  readonly base?: string
}

/** A request with another path and query. */
export class Rewritten implements Incoming {
  readonly method: string
  readonly origin: string
  readonly path: string
  readonly search: string
  readonly publicUrl: string
  /** The address of the service that was called, without a trailing slash. */
  readonly base: string
  readonly asked: string
  readonly #incoming: Incoming

  constructor(incoming: Incoming, { path, search, base = publicUrlOf(incoming) }: RewrittenParts) {
    this.#incoming = incoming
    this.method = incoming.method
    this.origin = incoming.origin
    this.path = path
    this.search = search
    this.publicUrl = publicUrlOf(incoming)
    this.base = base
    this.asked = incoming.asked ?? incoming.path
  }

  get tenantId(): string | undefined {
    return this.#incoming.tenantId
  }

  set tenantId(value: string | undefined) {
    if (value !== undefined) this.#incoming.tenantId = value
  }

  get operationId(): Incoming['operationId'] {
    return this.#incoming.operationId
  }

  set operationId(value: Incoming['operationId']) {
    if (value !== undefined) this.#incoming.operationId = value
  }

  get actsFor(): string | undefined {
    return this.#incoming.actsFor
  }

  get call(): Incoming['call'] {
    return this.#incoming.call
  }

  set call(value: Incoming['call']) {
    if (value !== undefined) this.#incoming.call = value
  }

  header(name: string): string | undefined {
    return this.#incoming.header(name)
  }

  headers(): HeaderList {
    return this.#incoming.headers()
  }

  readBody(take: (chunk: Uint8Array) => boolean): Promise<void> {
    return this.#incoming.readBody(take)
  }

  release(chunk: Uint8Array): void {
    this.#incoming.release?.(chunk)
  }
}
