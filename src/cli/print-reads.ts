import { nameOfPlace, readersOf } from '../../conformance/reads/needs-text.ts'
import { type Standing, type StandingPlace, standingOf } from '../../conformance/reads/standing.ts'
import { jsonText } from '../../conformance/report/json.ts'
import { count } from '../../conformance/report/tally.ts'
import { showHidden } from '../../conformance/wire/inert.ts'
import { exit } from './exit.ts'
import { readProfileFile } from './profile-file.ts'
import { readReads } from './reads-file.ts'

/** The flags of `countersign reads`. */
export interface ReadsFlags {
  readonly profile?: string
  readonly json?: boolean
}

/** Prints what a front end reads, and returns the exit code. */
export async function printReads(paths: readonly string[], { profile: file, json }: ReadsFlags): Promise<number> {
  const { places } = await readReads(paths)
  const profile = file === undefined ? undefined : await readProfileFile(file, '--profile')
  const standing = places.map((place) => standingOf(place, profile))
  if (json) {
    process.stdout.write(jsonText({ version: 1, counts: countStandings(standing), places: standing }))
  } else {
    for (const place of standing) process.stdout.write(`${showHidden(lineOf(place))}\n`)
    process.stdout.write(`${conclusion(standing)}\n`)
  }
  return places.length > 0 ? exit.ok : exit.undecided
}

function lineOf(place: StandingPlace): string {
  const { standing, requirements, gaps, contractPlace, uses, tests } = place
  const how = uses.some((use) => use !== 'value') ? ` [${uses.join(', ')}]` : ''
  const why = standing === 'documented' ? requirements : gaps
  const from = contractPlace === undefined ? [] : [`in the contract ${contractPlace || 'the whole body'}`]
  const about = [...why, ...from].length > 0 ? ` (${[...why, ...from].join(', ')})` : ''
  const readers = tests.length > 0 ? `: ${readersOf(tests)}` : ''
  return `${standing.padEnd(10)} ${nameOfPlace(place)}${how}${about}${readers}`
}

function countStandings(places: readonly StandingPlace[]): Record<Standing, number> {
  const of = (wanted: Standing) => places.filter(({ standing }) => standing === wanted).length
  return { documented: of('documented'), assumed: of('assumed'), unknown: of('unknown') }
}

function conclusion(places: readonly StandingPlace[]): string {
  if (places.length === 0) return 'The files have no place that a front end reads. Record them again.'
  const { documented, assumed, unknown } = countStandings(places)
  const gaps = new Set(places.flatMap((place) => (place.standing === 'assumed' ? place.gaps : [])))
  const promised = assumed + unknown
  const missing =
    promised === 0
      ? 'The document promises all of them.'
      : `It reads ${count(promised, 'place')} that the document never promised.`
  return `The front end reads ${count(places.length, 'place')}: ${documented} documented, ${assumed} assumed (${count(gaps.size, 'open question')}), ${unknown} unknown. ${missing}`
}
