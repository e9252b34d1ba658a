/** A message of a stream of server-sent events. */
export interface Message {
  readonly event: string
  readonly data: string
}

/** Reads server-sent events from text that arrives in pieces. Comments, identifiers and retry times are ignored. */
export class MessageReader {
  #rest = ''
  #event = ''
  #data: string[] = []

  /** Returns the messages that the next piece of text completes. */
  read(text: string): Message[] {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    return lines.flatMap((line) => this.#take(line.endsWith('\r') ? line.slice(0, -1) : line) ?? [])
  }

  #take(line: string): Message | undefined {
    if (line === '') {
      const message = { event: this.#event || 'message', data: this.#data.join('\n') }
      const isEmpty = this.#data.length === 0
      this.#event = ''
      this.#data = []
      return isEmpty ? undefined : message
    }
    const [, field, value = ''] = /^(\w+)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'event') this.#event = value
    if (field === 'data') this.#data.push(value)
    return undefined
  }
}
