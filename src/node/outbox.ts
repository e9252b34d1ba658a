/**
 * Batches the answers that are ready in one turn of the event loop, in their order. Waking the client for each answer alone
 * costs the server more than the rest of a small call, since the write waits for the other processor to wake up.
 */
export class Outbox {
  #ready: (() => void)[] = []

  put(send: () => void): void {
    if (this.#ready.push(send) > 1) return
    setImmediate(() => {
      const ready = this.#ready
      this.#ready = []
      for (const send of ready) send()
    })
  }
}
