/** Counts how often `compare --explore 500` finds planted faults, and how short it makes them: `npx tsx scripts/explore-counts.ts [seeds]` */
import { explore } from '../conformance/explore/explore.ts'
import { reference } from '../conformance/selftest/reference.ts'
import { virtualTime } from '../conformance/selftest/virtual-time.ts'
import { drawSessions } from '../src/cli/draw-sessions.ts'
import { plantedFaults } from '../test/conformance/explore/planted.ts'

const seeds = Number(process.argv[2] ?? 10)
const most = 500

for (const [name, create] of Object.entries({ 'no fault': reference, ...plantedFaults })) {
  const found: string[] = []
  const sent: number[] = []
  for (let seed = 1; seed <= seeds; seed += 1) {
    const side = (fetch: typeof globalThis.fetch | ReturnType<typeof reference>) => ({
      ...{ url: 'http://explore.test', apiKey: 'test_explore', time: virtualTime() },
      fetch: (request: Request) => fetch(request),
    })
    const sides = [side(reference()), side(create())] as const
    const result = await explore({ sides, sessions: drawSessions(seed, most), most })
    sent.push(result.sent)
    if (result.found) found.push(`${result.found.session.length}${result.isSpent ? '*' : ''}`)
    if (process.argv[3])
      process.stdout.write(`${seed}: ${JSON.stringify(result.found?.session ?? null)} ${result.found?.text}\n`)
  }
  process.stdout.write(
    `${name}: found with ${found.length} of ${seeds} seeds, in ${found.join(' ')} calls; ${sent.join(' ')} requests\n`,
  )
}
