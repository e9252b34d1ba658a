/** In bytes, enough for about a hundred texts. A page is freed with its last text, so it is small. */
const pageSize = 64 * 1024
/** The limit in bytes beyond which a text gets a page of its own, so that little of a page stays empty. */
const longest = pageSize / 8

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The page that is being filled. */
let page = new Uint8Array()
let used = 0

/** A text outside the heap of the garbage collector. */
export class StoredText {
  readonly #page: Uint8Array
  readonly #start: number
  /** In bytes. */
  readonly size: number

  constructor(page: Uint8Array, start: number, size: number) {
    this.#page = page
    this.#start = start
    this.size = size
  }

  read(): string {
    return decoder.decode(this.#page.subarray(this.#start, this.#start + this.size))
  }
}

/**
 * Stores a well-formed text outside the heap, where the garbage collector does not copy it: as a string, it would be copied twice,
 * which doubles its pauses while many workflows are created.
 */
export function storeText(text: string): StoredText {
  // A character takes up to three bytes.
  const room = text.length * 3
  if (room > longest) {
    const bytes = encoder.encode(text)
    return new StoredText(bytes, 0, bytes.byteLength)
  }
  if (used + room > page.byteLength) {
    page = new Uint8Array(pageSize)
    used = 0
  }
  const start = used
  const { written } = encoder.encodeInto(text, page.subarray(start))
  used += written
  return new StoredText(page, start, written)
}
