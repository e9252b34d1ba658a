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
  const isLong = a.length > most || b.length > most
  const lines = (texts: string[]) => texts.map((text) => ({ text, isShared: isLong }))
  const shown = { left: lines(a), right: lines(b) }
  if (isLong) return shown
  // lengths[i][j] is the length of the longest common subsequence of a from i and b from j.
  const width = b.length + 1
  const lengths = new Uint16Array((a.length + 1) * width)
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [one, other] = [shown.left[i], shown.right[j]]
    if (one && other && one.text === other.text) {
      one.isShared = other.isShared = true
      i += 1
      j += 1
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1
    else j += 1
  }
  return shown
}
