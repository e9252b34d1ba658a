import { secondsOf } from '../harness/commands.ts'
import { alone, type Row } from '../harness/row.ts'

const gate = ['node_modules/vitest/vitest.mjs', 'run', 'test/conformance/selftest/gate-']

/** The gate that the suite passes before it is believed: every mutant, and variants in pairs. */
export const row: Row = {
  name: 'gate',
  measure: async () => [
    await alone('the selftest gate, wall time', 's', { atMost: 60 }, () => secondsOf(gate, { GATE_SAMPLE: 'all' }), 1),
  ],
}
