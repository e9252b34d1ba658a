/**
 * Batches the answers that are ready in one turn of the event loop, in their order. Waking the client for each answer alone
 * costs the server more than the rest of a small call, since the write waits for the other processor to wake up.
 */
export class Outbox {
  #ready: { readonly send: () => void; readonly fail: (error: unknown) => void }[] = []

  /** Calls `send` in the next turn; `fail` if it throws, so that the other answers leave. */
  put(send: () => void, fail: (error: unknown) => void): void {
    if (this.#ready.push({ send, fail }) > 1) return
    setImmediate(() => {
      const ready = this.#ready
      this.#ready = []
      for (const { send, fail } of ready) {
        try {
          send()
        } catch (error) {
          fail(error)
        }
      }
    })
  }
}
