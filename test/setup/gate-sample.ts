import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The part of the gate that runs: `all`, `deep`, or the sample of a date such as `2026-11-21`. */
    readonly gateSample: string
    /** The slice of the deep gate that runs, counted from 0, and the number of slices. */
    readonly gateSlice: readonly [place: number, slices: number]
  }
}

/** The date of the sample on CI. It is fixed, so that a commit passes or fails there on any day. */
export const dateOnCi = '2026-11-25'

/** Chooses the part of the gate that runs, and prints how to repeat it. */
export default function gateSample({ provide, config }: TestProject): void {
  const date = process.env.CI === 'true' ? dateOnCi : new Date().toISOString().slice(0, 10)
  const sample = process.env.GATE_SAMPLE ?? (config.testNamePattern ? 'all' : date)
  if (!/^(all|deep|\d{4}-\d\d-\d\d)$/.test(sample) || (/^\d/.test(sample) && Number.isNaN(Date.parse(sample)))) {
    throw new Error(`GATE_SAMPLE is '${sample}'. Set it to a date such as 2026-11-21, to 'all' or to 'deep'.`)
  }
  provide('gateSample', sample)
  provide('gateSlice', sliceOf(process.env.GATE_SLICE ?? '1/1'))
  if (/^\d/.test(sample)) {
    process.stderr.write(
      `The gate and other long tests run the sample of ${sample}. Repeat it with GATE_SAMPLE=${sample}.\n`,
    )
  }
}

/** Parses a slice such as `3/8`, the third of eight. */
function sliceOf(text: string): [place: number, slices: number] {
  const [, number = 0, slices = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number)
  if (number >= 1 && number <= slices) return [number - 1, slices]
  throw new Error(`GATE_SLICE is '${text}'. Set it to a slice such as 3/8, the third of eight.`)
}
