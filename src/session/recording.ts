import type { Recorder, SessionFile } from './recorder.ts'

/** Starts and stops the recording of a mock's calls. What records is loaded with the first start. */
export class Recording {
  readonly #creator: { readonly name: string; readonly version: string }
  #recorder: Recorder | undefined

  constructor(creator: { readonly name: string; readonly version: string }) {
    this.#creator = creator
  }

  /** The recorder while it is on. */
  get current(): Recorder | undefined {
    return this.#recorder?.isOn ? this.#recorder : undefined
  }

  /** The number of calls that were recorded or left out. */
  get count(): number {
    return this.#recorder?.count ?? 0
  }

  async start(): Promise<void> {
    const recorder = await this.#load()
    recorder.start()
  }

  stop(): void {
    this.#recorder?.stop()
  }

  /** Returns the recorded calls of a tenant, or of all, without keys and signatures. */
  async read(tenantId?: string): Promise<SessionFile> {
    const recorder = await this.#load()
    return recorder.read(this.#creator, tenantId)
  }

  async #load(): Promise<Recorder> {
    const { Recorder } = await import('./recorder.ts')
    this.#recorder ??= new Recorder()
    return this.#recorder
  }
}
