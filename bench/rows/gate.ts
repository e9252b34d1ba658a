import { secondsOf } from '../harness/commands.ts'
import { measureAlone, type Row } from '../harness/row.ts'

const gate = ['node_modules/vitest/vitest.mjs', 'run', 'test/conformance/selftest/gate-']

/** The gate of the suite's selftest: every mutant, and variants in pairs. */
export const row: Row = {
  name: 'gate',
  measure: async () => [
    await measureAlone(
      'the selftest gate, wall time',
      's',
      { atMost: 60 },
      () => secondsOf(gate, { GATE_SAMPLE: 'all' }),
      1,
    ),
  ],
}
