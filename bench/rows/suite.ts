import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { secondsOf } from '../harness/commands.ts'
import { compareSides, measureInTurns, type Row, spreadOf } from '../harness/row.ts'
import { startMockCommand } from '../harness/servers.ts'

/** The suite against the reference, compared with a tool that runs the same flow against a mock. */
export const row: Row = {
  name: 'suite',
  async measure() {
    const server = await startMockCommand()
    const reports = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
    const suite = ['bin/countersign.js', 'conformance', '--report-dir', reports]
    const respect = ['node_modules/@redocly/cli/bin/cli.js', 'respect', 'bench/flow.arazzo.yaml']
    try {
      const pairs = await measureInTurns(
        () => secondsOf(suite),
        () => secondsOf([...respect, '-S', `service=${server.url}`]),
      )
      const what = 'the suite against the reference'
      const figure = spreadOf(pairs.map(({ ours }) => ours))
      return [
        compareSides({ what, beside: 'redocly respect', unit: 's', goal: { atMost: 1 } }, pairs),
        { what: `${what}, wall time`, figure, unit: 's', goal: { atMost: 2 }, rounds: pairs.length },
      ]
    } finally {
      rmSync(reports, { recursive: true })
      await server.stop()
    }
  },
}
