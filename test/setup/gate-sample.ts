import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The part of the gate that runs: `all`, `deep`, or the sample of a date such as `2026-11-21`. */
    readonly gateSample: string
  }
}

/** Chooses the part of the gate that runs, and prints how to repeat it. */
export default function gateSample({ provide, config }: TestProject): void {
  const sample = process.env.GATE_SAMPLE ?? (config.testNamePattern ? 'all' : new Date().toISOString().slice(0, 10))
  if (!/^(all|deep|\d{4}-\d\d-\d\d)$/.test(sample) || (/^\d/.test(sample) && Number.isNaN(Date.parse(sample)))) {
    throw new Error(`GATE_SAMPLE is '${sample}'. Set it to a date such as 2026-11-21, to 'all' or to 'deep'.`)
  }
  provide('gateSample', sample)
  if (/^\d/.test(sample)) {
    process.stderr.write(
      `The gate and other long tests run the sample of ${sample}. Repeat it with GATE_SAMPLE=${sample}.\n`,
    )
  }
}
