import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ifThere, isSystemError, reasonOf } from '../journal/errors.ts'

/** The folder, in a folder of objects, with what was moved aside: a folder for each time. */
const asideFolder = 'aside'

/** The time for which files that were moved aside are kept, in days. */
const keptDays = 7

export interface AsideOptions {
  /** The journal beside which damaged lines may be, that name files. @default none */
  readonly journal?: string | undefined
  readonly warn: (message: string) => void
}

/**
 * Keeps the files of a folder of objects that no line of the journal names: another copy of the journal, or the damaged lines that a
 * repair has moved, may name them. They are moved aside, come back when a line names them again, and are removed a week later,
 * but not as long as damaged lines lie beside the journal.
 */
export class Aside {
  readonly #folder: string
  readonly #options: AsideOptions
  readonly #now = stampOf(Date.now())

  constructor(folder: string, options: AsideOptions) {
    this.#folder = folder
    this.#options = options
  }

  /**
   * Moves files aside, given by their paths in the folder, takes back those that `isUsed` returns true for, and removes those whose
   * time is over. Warns of what it cannot do.
   */
  sort(unused: Iterable<string>, isUsed: (path: string) => boolean): void {
    try {
      let moved = 0
      for (const path of unused) if (this.#move(path, join(asideFolder, this.#now, path))) moved += 1
      for (const time of this.#times()) {
        for (const path of readdirSync(join(this.#folder, asideFolder, time), { recursive: true }).map(String)) {
          if (isUsed(path.replaceAll('\\', '/'))) this.#move(join(asideFolder, time, path), path)
        }
      }
      if (!this.#hasDamagedLines()) this.#removeOld()
      if (moved > 0) this.#tell(moved)
    } catch (error) {
      if (!isSystemError(error)) throw error
      this.#options.warn(`Cannot sort the files in ${this.#folder}: ${reasonOf(error)}. The next start tries again.`)
    }
  }

  #tell(moved: number): void {
    const [files, they] = moved === 1 ? ['1 file', 'it is'] : [`${moved} files`, 'they are']
    this.#options.warn(
      `No line of the journal names ${files} in ${this.#folder}, so ${they} now in ${join(this.#folder, asideFolder, this.#now)}, for ${keptDays} days.`,
    )
  }

  /** Returns false if the file was not there, or is there already. */
  #move(from: string, to: string): boolean {
    const [source, target] = [join(this.#folder, from), join(this.#folder, to)]
    if (statSync(target, { throwIfNoEntry: false })) return false
    mkdirSync(dirname(target), { recursive: true })
    // Another mock may be faster.
    return ifThere(() => renameSync(source, target) ?? true) ?? false
  }

  #times(): string[] {
    const names = ifThere(() => readdirSync(join(this.#folder, asideFolder))) ?? []
    return names.filter((name) => stampForm.test(name))
  }

  #removeOld(): void {
    const before = stampOf(Date.now() - keptDays * 86_400_000)
    for (const time of this.#times()) {
      if (time < before) rmSync(join(this.#folder, asideFolder, time), { recursive: true, force: true })
    }
  }

  #hasDamagedLines(): boolean {
    const { journal } = this.#options
    if (journal === undefined) return false
    return readdirSync(dirname(journal)).some((name) => name.startsWith(`${basename(journal)}.damaged`))
  }
}

/** The form of `stampOf`, which sorts by time. */
const stampForm = /^\d{8}T\d{6}Z$/

/** Returns a time as a name that every file system takes, such as 20261126T093000Z. */
function stampOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}
