/** Text is not the JSON that was expected. */
export class JsonPiecesError extends Error {}

const codes = { '{': 0x7b, '}': 0x7d, '[': 0x5b, ']': 0x5d, '"': 0x22, ':': 0x3a, ',': 0x2c, '\\': 0x5c } as const
type Mark = keyof typeof codes
const closing = { '{': '}', '[': ']' } as const

/**
 * Reads JSON piece by piece, so that a large file is never parsed as a whole. The caller opens objects and lists, and reads
 * the values in them; each value is checked by `JSON.parse`. All methods throw a `JsonPiecesError`.
 */
export class JsonPieces {
  readonly #bytes: Uint8Array
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** Reads an object or a list: yields the name of each member, or '' for each item. The caller reads its value before the next one. */
  *items(bracket: keyof typeof closing): Generator<string, void> {
    this.#take(bracket)
    const end = closing[bracket]
    for (let isFirst = true; !this.#isNext(end); isFirst = false) {
      if (!isFirst) this.#take(',')
      yield bracket === '{' ? this.#name() : ''
    }
    this.#take(end)
  }

  #name(): string {
    if (!this.#isNext('"')) throw this.#unexpected()
    const name = this.value()
    this.#take(':')
    return String(name)
  }

  /** Reads a value of at most `mostBytes` bytes. */
  value(mostBytes = Number.POSITIVE_INFINITY): unknown {
    this.#skipSpace()
    const start = this.#at
    this.#at = this.#endOfValue()
    if (this.#at - start > mostBytes) {
      throw new JsonPiecesError(`has a value of more than ${mostBytes} bytes at byte ${start}`)
    }
    try {
      return JSON.parse(this.#decoder.decode(this.#bytes.subarray(start, this.#at)))
    } catch (error) {
      // The decoder throws a TypeError, and the parser a SyntaxError.
      if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error
      throw new JsonPiecesError(`is not JSON at byte ${start}`)
    }
  }

  /** Checks that nothing follows. */
  end(): void {
    this.#skipSpace()
    if (this.#at < this.#bytes.length) throw this.#unexpected()
  }

  #isNext(mark: Mark): boolean {
    this.#skipSpace()
    return this.#bytes[this.#at] === codes[mark]
  }

  #take(mark: Mark): void {
    if (!this.#isNext(mark)) throw this.#unexpected()
    this.#at += 1
  }

  #unexpected(): JsonPiecesError {
    const isOver = this.#at >= this.#bytes.length
    return new JsonPiecesError(isOver ? 'ends too early' : `has an unexpected character at byte ${this.#at}`)
  }

  #skipSpace(): void {
    for (let code = this.#bytes[this.#at]; isSpace(code); code = this.#bytes[this.#at]) this.#at += 1
  }

  /** Returns the end of the value that begins here. It may be malformed, since it is parsed then. */
  #endOfValue(): number {
    const bytes = this.#bytes
    const first = bytes[this.#at]
    if (first === codes['"']) return this.#endOfText(this.#at)
    if (first !== codes['{'] && first !== codes['[']) return this.#endOfWord()
    let depth = 0
    for (let at = this.#at; at < bytes.length; at += 1) {
      const code = bytes[at]
      if (code === codes['"']) at = this.#endOfText(at) - 1
      else if (code === codes['{'] || code === codes['[']) depth += 1
      else if (code === codes['}'] || code === codes[']']) depth -= 1
      if (depth === 0) return at + 1
    }
    return bytes.length
  }

  #endOfText(from: number): number {
    for (let at = from + 1; at < this.#bytes.length; at += 1) {
      if (this.#bytes[at] === codes['\\']) at += 1
      else if (this.#bytes[at] === codes['"']) return at + 1
    }
    return this.#bytes.length
  }

  /** Returns the end of a number, `true`, `false` or `null`. */
  #endOfWord(): number {
    for (let at = this.#at; at < this.#bytes.length; at += 1) {
      const code = this.#bytes[at]
      if (code === codes[','] || code === codes['}'] || code === codes[']'] || isSpace(code)) return at
    }
    return this.#bytes.length
  }
}

function isSpace(code: number | undefined): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}
