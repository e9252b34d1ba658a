/**
 * Counts how often `compare` is right: between two instances of one deployment, and beside a deployment with a fault, by the suite and by
 * a session that the suite has recorded on the reference.
 *
 *     npx tsx scripts/compare-counts.ts [--deployments 25] [--runs 20] [--faults 130]
 */
import { parseArgs } from 'node:util'
import { compareRuns, type RunsOfSide, type SideRun, sideOfReplay, sideOfRun } from '../conformance/replay/compare.ts'
import { replay } from '../conformance/replay/replay.ts'
import { coveringChoices } from '../conformance/selftest/covering.ts'
import type { Choice } from '../conformance/selftest/mutant.ts'
import { mutants } from '../conformance/selftest/mutants/index.ts'
import { runOn } from '../conformance/selftest/run-on.ts'
import { choiceText, type ServerFactory, singleChoices, variant } from '../conformance/selftest/variants/index.ts'
import { virtualTime } from '../conformance/selftest/virtual-time.ts'
import type { ServerFunction } from '../conformance/selftest/wrapper.ts'
import { readHar } from '../conformance/session/read-har.ts'
import { createMock } from '../src/index.ts'

const { values: given } = parseArgs({
  options: {
    deployments: { type: 'string', default: '25' },
    runs: { type: 'string', default: '20' },
    faults: { type: 'string', default: '130' },
  },
})
const print = (text: string) => process.stdout.write(`${text}\n`)

/** Returns so many items of a list, evenly spread. */
function spread<Item>(list: readonly Item[], count: number): readonly Item[] {
  return Array.from({ length: Math.min(count, list.length) }, (_, index) => {
    const item = list[Math.floor((index * list.length) / Math.min(count, list.length))]
    if (item === undefined) throw new TypeError('The index is in the list.')
    return item
  })
}

/** A sound server with identifiers of its own. */
const withSeed =
  (seed: string): ServerFactory =>
  (like) =>
    createMock({ seed, approvers: 'manual', ...(like && { like }) }).fetch

/** Keeps the runs of a server, as the two sides of `compare` do. */
function runsOf(run: () => Promise<SideRun>): RunsOfSide {
  const runs: SideRun[] = []
  return async (count) => {
    while (runs.length < count) runs.push(await run())
    return runs
  }
}

const bySuite = (fetch: ServerFunction) =>
  runsOf(async () => sideOfRun(await runOn(fetch, { gaps: true, secondKey: 'test_selftest_2' })))

/** Returns the session that the suite records on the reference. */
async function recordSession() {
  const { session } = await runOn(withSeed('recorded')(), {
    secondKey: 'test_selftest_2',
    recordAs: { name: 'countersign', version: '0.0.0' },
  })
  return readHar(session, { needsBodies: false })
}

const bySession = (fetch: ServerFunction, session: Awaited<ReturnType<typeof recordSession>>) =>
  runsOf(async () => {
    const target = { url: 'http://replay.test', apiKey: 'test_replay', secondKey: 'test_replay_2', fetch }
    const time = virtualTime()
    return sideOfReplay(await replay({ ...target, session, time, maxRequests: 3000, maxMs: 10 ** 9 }), 'now')
  })

async function countInstances(deployments: readonly Choice[], runs: number): Promise<void> {
  const session = await recordSession()
  let [same, total] = [0, 0]
  for (const choice of deployments) {
    for (let run = 1; run <= runs; run += 1) {
      const [one, other] = [`${run}`, `other-${run}`].map((seed) => variant(choice)(withSeed(seed)))
      if (!one || !other) throw new TypeError('There are two servers.')
      // Every fourth comparison sends a session in place of the suite.
      const { rows } =
        run % 4 === 0
          ? await compareRuns(bySession(one, session), bySession(other, session))
          : await compareRuns(bySuite(one), bySuite(other))
      total += 1
      same += Number(rows.length === 0)
      for (const { word, name, text } of rows) print(`  ${choiceText(choice)}, run ${run}: ${word} ${name}: ${text}`)
    }
    print(`${choiceText(choice) || 'reference'}: ${same} of ${total} the same so far`)
  }
  print(`Two instances of one deployment: no difference in ${same} of ${total} comparisons.`)
}

async function countFaults(count: number): Promise<void> {
  const session = await recordSession()
  // All faults are compared with the same runs of the sound server.
  const [soundSuite, soundSession] = [bySuite(withSeed('sound')()), bySession(withSeed('sound')(), session)]
  let [found, named, shown] = [0, 0, 0]
  for (const mutant of spread(mutants, count)) {
    const createFaulty = () => mutant.create()(withSeed('faulty')())
    const faulty = bySuite(createFaulty())
    const checks = (await faulty(1)).flatMap((run) => run.checks)
    const failing = checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
    if (failing.length === 0) continue
    found += 1
    const { rows } = await compareRuns(soundSuite, faulty)
    const isNamed = rows.some(({ word, name }) => word === 'meaning' && failing.some((id) => name.endsWith(`: ${id}`)))
    named += Number(isNamed)
    const { rows: inSession } = await compareRuns(soundSession, bySession(createFaulty(), session))
    shown += Number(inSession.length > 0)
    if (inSession.length === 0) print(`  ${mutant.id} (${mutant.breaks}) is the same in the session`)
    if (isNamed) continue
    print(`  ${mutant.id} (${mutant.breaks}) fails ${failing.join(', ')}, and is not named`)
    for (const { word, name, text } of rows.slice(0, 5)) print(`    ${word} ${name}: ${text}`)
  }
  print(`Faults that the suite finds: ${named} of ${found} are named at their call, and ${shown} differ in a session.`)
}

const deployments = Math.ceil(Number(given.deployments) / 2)
await countInstances(
  [...spread(singleChoices, Number(given.deployments) - deployments), ...spread(coveringChoices(), deployments)],
  Number(given.runs),
)
await countFaults(Number(given.faults))
