/** A line of a text, and whether the other text has it too. */
export interface Line {
  readonly text: string
  readonly isShared: boolean
}

/** The most lines of each text that are compared. */
const most = 1500

/** Compares two texts by lines, by their longest common subsequence. Texts that are too long count as shared. */
export function compareLines(left: string, right: string): { readonly left: Line[]; readonly right: Line[] } {
  const a = left.split('\n')
  const b = right.split('\n')
  if (a.length > most || b.length > most) return { left: allShared(a), right: allShared(b) }
  // lengths[i][j] is the length of the longest common subsequence of a from i and b from j.
  const width = b.length + 1
  const lengths = new Uint16Array((a.length + 1) * width)
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const shown = { left: [] as Line[], right: [] as Line[] }
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      shown.left.push({ text: a[i++] ?? '', isShared: true })
      shown.right.push({ text: b[j++] ?? '', isShared: true })
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      shown.left.push({ text: a[i++] ?? '', isShared: false })
    } else {
      shown.right.push({ text: b[j++] ?? '', isShared: false })
    }
  }
  return shown
}

function allShared(lines: readonly string[]): Line[] {
  return lines.map((text) => ({ text, isShared: true }))
}
