import { changed, changeOf } from './change.ts'

/** The mark that `npm run scaffold` writes at each place to fill in. A test fails while a file has one; this repository has none. */
export const mark = 'TODO(scaffold):'

/** Reads a file of the repository; undefined if it does not exist. */
export type Read = (path: string) => string | undefined

/** The arguments cannot be served. The message says why, and what to do. */
export class RefusedError extends Error {}

/** Collects edits without writing anything, so that a refusal touches nothing. */
export class Plan {
  readonly edited = new Map<string, string>()
  readonly #read: Read

  constructor(read: Read) {
    this.#read = read
  }

  /** Returns a file with the edits so far. Throws if it does not exist. */
  text(path: string): string {
    const text = this.edited.get(path) ?? this.#read(path)
    if (text === undefined) throw new Error(`${path} does not exist. Adapt the scaffold to this repository.`)
    return text
  }

  /** Applies blocks as the tutorial has them: the first line names the file and the place. */
  apply(...blocks: readonly string[]): void {
    for (const block of blocks) {
      const change = changeOf(block)
      this.edited.set(change.path, changed(this.text(change.path), change))
    }
  }

  /** Replaces a text of a file. Throws if it is not there. */
  replace(path: string, pattern: RegExp | string, by: string): void {
    const before = this.text(path)
    const after = before.replace(pattern, () => by)
    if (after === before) throw new Error(`${path} does not contain ${pattern}. Adapt the scaffold to this repository.`)
    this.edited.set(path, after)
  }

  /** Writes a line like each line that a pattern matches, before it and as far in. */
  repeatBefore(path: string, pattern: RegExp, line: string): void {
    const lines = this.text(path).split('\n')
    const added = lines.flatMap((one) => {
      const [, indent] = pattern.exec(one) ?? []
      return indent === undefined ? [one] : [`${indent}${line}`, one]
    })
    this.edited.set(path, added.join('\n'))
  }
}

/** Returns the open places in a text, with their lines. */
export function openPlaces(path: string, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, place) =>
      line.includes(mark) ? [`${path}:${place + 1}: ${line.slice(line.indexOf(mark)).trim()}`] : [],
    )
}

/** `owner-email` or `owner_email` as `ownerEmail`. */
export function camel(name: string): string {
  return name.replaceAll(/[-_]+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** `owner_email` or `ownerEmail` as `owner-email`. */
export function kebab(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
}

/** Returns a value for a field that no default has, the same in examples, samples and tests. */
export function sampleOf(field: string): string {
  return field.toLowerCase().includes('email') ? 'olga@example.com' : `a ${kebab(field)}`
}
