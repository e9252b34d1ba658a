/** A bar of a histogram. */
export interface Bin {
  readonly from: number
  readonly to: number
  readonly count: number
}

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 720, 1440, 2880, 10_080, 43_200]

/** Counts values in bins of a round width, at most `most` of them. The last bin has all larger values if there are outliers. */
export function binsOf(values: readonly number[], most = 24): Bin[] {
  if (values.length === 0) return []
  const sorted = values.toSorted((a, b) => a - b)
  const largest = sorted.at(-1) ?? 0
  // A few outliers would press everything else into one bin.
  const usual = Math.min(largest, (sorted[Math.floor((sorted.length - 1) * 0.98)] ?? 0) * 1.25)
  const width = steps.find((step) => usual / step < most) ?? Math.max(1, usual / (most - 1))
  const count = Math.floor(usual / width) + 1
  const bins = Array.from({ length: count }, (_, index) => ({ from: index * width, to: (index + 1) * width, count: 0 }))
  for (const value of values) {
    const bin = bins[Math.min(count - 1, Math.floor(value / width))]
    if (bin) bin.count += 1
  }
  const last = bins.at(-1)
  return last && largest > last.to ? [...bins.slice(0, -1), { ...last, to: largest }] : bins
}

/** Returns where a share of the width is. What is beyond the last bin stands at its end. */
export const placeIn = (width: number, share: number) => Math.min(width, share * width)
