/** A change of a file that a block of a tutorial or of the scaffold describes in its first line. */
export interface FileChange {
  readonly path: string
  readonly text: string
  readonly place: 'new file' | 'at the end' | Lines
}

interface Lines {
  readonly kind: 'before' | 'after' | 'in place of'
  /** A text of the line to find. If several lines contain it, the line that consists of it. */
  readonly line: string
  /** A text of the last line to replace. */
  readonly last?: string
  /** A text of a line above it, if the line alone is not unique. */
  readonly scope?: string
}

const first = /^(?:\/\/|#|<!--) (\S+): (.*?)(?: -->)?$/
const inside = /^(?:in "(.+?)", )?(before|after|in place of) "(.+?)"(?: to "(.+?)")?$/

/** Reads a block such as `// src/a.ts: before "const b"`, followed by lines. Throws if its first line names no place. */
export function changeOf(block: string): FileChange {
  const [head = '', ...lines] = block.split('\n')
  const [, path = '', where = ''] = first.exec(head) ?? []
  const text = lines.join('\n')
  if (where === 'new file' || where === 'at the end') return { path, text, place: where }
  const [, scope, kind, line, last] = inside.exec(where) ?? []
  if (line === undefined || (kind !== 'before' && kind !== 'after' && kind !== 'in place of')) {
    throw new Error(`'${head}' names no place. Write: // PATH: in "LINE", before "LINE".`)
  }
  return { path, text, place: { kind, line, ...(scope && { scope }), ...(last && { last }) } }
}

/** Returns a file's text after a change. Throws if the place is not there, or not unique. */
export function changed(before: string, { text, place, path }: FileChange): string {
  if (place === 'new file') return text
  if (place === 'at the end') return before + text
  const { kind, line, last, scope } = place
  const lines = before.split('\n')
  const from = scope === undefined ? 0 : onlyLine(lines, scope, path) + 1
  const start = scope === undefined ? onlyLine(lines, line, path) : nextLine(lines, line, path, from)
  const end = last === undefined ? start : nextLine(lines, last, path, start + 1)
  const isReplaced = kind === 'in place of'
  lines.splice(kind === 'after' ? start + 1 : start, isReplaced ? end - start + 1 : 0, text.replace(/\n$/, ''))
  return lines.join('\n')
}

function nextLine(lines: readonly string[], part: string, path: string, from: number): number {
  const place = lines.findIndex((line, index) => index >= from && line.includes(part))
  if (place < 0) throw new Error(`${path} has no line with '${part}'. Correct the block that names it.`)
  return place
}

function onlyLine(lines: readonly string[], part: string, path: string): number {
  const found = lines.flatMap((line, index) => (line.includes(part) ? index : []))
  const exact = found.filter((index) => lines[index]?.trim() === part.trim())
  if (exact.length !== 1 && found.length > 1)
    throw new Error(`${path} has ${found.length} lines with '${part}'. Name one.`)
  return exact[0] ?? nextLine(lines, part, path, 0)
}
