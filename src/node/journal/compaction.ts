import { fsync } from 'node:fs'
import { promisify } from 'node:util'
import { ArchiveError } from '../../world/archive.ts'
import { labelOf, verify } from './format.ts'
import type { Ledger } from './ledger.ts'
import { linesOf } from './lines.ts'
import type { NewFile } from './new-file.ts'

/** The part of the old file that one step reads, in bytes. */
const stepBytes = 1024 * 1024

/** Copies the live lines of a journal into a new file, step by step, while lines are appended to the old one. */
export class Compaction {
  readonly #source: number
  readonly #live: Ledger
  readonly #target: NewFile
  #lines: ReturnType<typeof linesOf>
  #position = 0
  #sum = 0

  constructor(source: number, live: Ledger, target: NewFile) {
    this.#source = source
    this.#live = live
    this.#target = target
    this.#lines = linesOf(source)
  }

  /** Copies the next lines. Returns true once it has reached the current end of the old file. */
  step(): boolean {
    const until = this.#position + stepBytes
    while (this.#position < until) {
      const { value: line } = this.#lines.next()
      if (!line) {
        // The next step continues here, with the lines appended in the meantime.
        this.#lines = linesOf(this.#source, this.#position)
        this.#target.flush()
        return true
      }
      this.#copy(line.bytes, line.offset)
      this.#position = line.offset + line.bytes.length + 1
    }
    return false
  }

  #copy(line: Buffer, offset: number): void {
    const sum = verify(line, this.#sum)
    // Copying a damaged line would give it a valid checksum.
    if (sum === undefined) throw new ArchiveError(`The journal was damaged at byte ${offset}. Put back a copy.`)
    this.#sum = sum
    // The new file has a header of its own.
    if (offset === 0) return
    const { kind, tenant } = labelOf(line)
    // Lines of this tenant may have been copied before it was reset.
    const isReset = kind === 'forget' && this.#target.ledger.has(tenant)
    if (isReset || this.#live.isLive(kind, tenant, offset)) this.#target.copy(line)
  }
}

const syncLater = promisify(fsync)

/** Copies in slices, so that the mock answers in between. Returns false if it was cancelled, true once all lines are copied. */
export async function copyInSlices(
  compaction: Compaction,
  target: NewFile,
  run: { readonly isCancelled: boolean },
): Promise<boolean> {
  for (let isAtEnd = false; !isAtEnd; isAtEnd = compaction.step()) {
    await new Promise((resolve) => setImmediate(resolve))
    if (run.isCancelled) return false
  }
  // This writes most of the file to disk without blocking. Few lines are appended in the meantime.
  await syncLater(target.file)
  if (run.isCancelled) return false
  while (!compaction.step());
  return true
}
