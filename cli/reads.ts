import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Standing, type StandingPlace, standingOf } from '../conformance/reads/standing.ts'
import { jsonText } from '../conformance/report/json.ts'
import { count } from '../conformance/report/tally.ts'
import { showHidden } from '../conformance/wire/inert.ts'
import { flawOfReads, mergeReads, type ReadsFile } from '../src/reads/reads-file.ts'
import type { ReadUse } from '../src/reads/tracker.ts'
import { exit, UsageError } from './exit.ts'
import { type JsonKind, profileFile, readAs, sound, unreadableInput } from './input.ts'
import type { Flags } from './options.ts'

/** Reads files of what a front end reads, and those in folders, and returns their places in one. Throws a `UsageError`. */
export async function readReads(paths: readonly string[]): Promise<ReadsFile> {
  const reads: ReadsFile[] = []
  // One after the other, since a folder may have more files than a process may open.
  for (const path of paths) for (const file of await filesAt(path)) reads.push(await readAs(file, kind))
  return mergeReads(reads)
}

const kind: JsonKind<ReadsFile> = {
  what: 'The file of reads',
  advice: 'Name a file that recordReads or trackReads has written, or a folder of such files.',
  read: sound<ReadsFile>(flawOfReads),
  cure: 'Record them again.',
}

async function filesAt(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path]
    const names = (await readdir(path)).filter((name) => name.endsWith('.json')).sort()
    if (names.length > 0) return names.map((name) => join(path, name))
  } catch (error) {
    throw unreadableInput(error, path, kind)
  }
  throw new UsageError(`The folder ${path} has no JSON file. Name the file that recordReads has written.`)
}

/** Prints what a front end reads, and returns the exit code. */
export async function printReads({ profile: file, json }: Flags<'reads'>, paths: readonly string[]): Promise<number> {
  const { places } = await readReads(paths)
  const profile = file === undefined ? undefined : await readAs(file, profileFile('--profile'))
  const standing = places.map((place) => standingOf(place, profile))
  const summary = { counts: countStandings(standing.filter(isTracked)), asText: standing.filter(isAsText).length }
  process.stdout.write(
    json
      ? jsonText({ version: 1, ...summary, places: standing })
      : [...linesOf(standing).map(showHidden), conclusion(standing), ''].join('\n'),
  )
  return standing.some(isTracked) ? exit.ok : exit.undecided
}

/** Formats the places, below the calls in whose answers they are, with the numbers of the tests that read them. */
function linesOf(places: readonly StandingPlace[]): string[] {
  const tests = [...new Set(places.flatMap((place) => place.tests))].sort()
  const calls = [...new Set(places.map(({ operation, status }) => `${operation} ${status}`))]
  const width = Math.min(50, Math.max(0, ...places.map(({ place }) => place.length)))
  const lines = calls.flatMap((call) => {
    const own = places.filter(({ operation, status }) => `${operation} ${status}` === call)
    return [call, ...own.map((place) => lineOf(place, width, tests))]
  })
  const numbered = tests.map((test, index) => `  ${`[${index + 1}]`.padEnd(5)} ${test}`)
  return [...lines, ...(tests.length > 0 ? ['Read by', ...numbered] : [])]
}

function lineOf(
  { standing, place, uses, tests, ...more }: StandingPlace,
  width: number,
  all: readonly string[],
): string {
  const { requirements, gaps, contractPlace } = more
  const why = standing === 'documented' ? requirements : gaps
  const from = contractPlace === undefined ? [] : [`as ${contractPlace || 'the whole body'} of the contract`]
  const how = uses.some((use) => use !== 'value') ? [uses.map((use) => useWords[use]).join(', ')] : []
  const numbers = tests.length > 0 ? ` [${ranges(tests.map((test) => all.indexOf(test) + 1))}]` : ''
  const about = [...how, ...why, ...from].join('; ')
  return `  ${standing.padEnd(10)}  ${(place || '(body)').padEnd(width)}  ${about}${numbers}`
}

/** How code used a place, in words. */
const useWords: Readonly<Record<ReadUse, string>> = {
  value: 'its value is read',
  all: 'all members are copied or listed',
  names: 'the names of its members are listed',
  asked: 'asked whether it is there',
  absent: 'absent when read',
  text: 'read as text',
}

/** Formats numbers as ranges: `1-3, 5`. */
function ranges(numbers: readonly number[]): string {
  const sorted = numbers.toSorted((a, b) => a - b)
  const starts = sorted.filter((number) => !sorted.includes(number - 1))
  const ends = sorted.filter((number) => !sorted.includes(number + 1))
  return starts.map((start, index) => (start === ends[index] ? `${start}` : `${start}-${ends[index]}`)).join(', ')
}

function countStandings(places: readonly StandingPlace[]): Record<Standing, number> {
  const of = (wanted: Standing) => places.filter(({ standing }) => standing === wanted).length
  return { documented: of('documented'), assumed: of('assumed'), unknown: of('unknown') }
}

function conclusion(places: readonly StandingPlace[]): string {
  const texts = places.filter(isAsText).length
  const asText = texts > 0 ? ` Answers read as text: ${texts}; what of them is used is unknown.` : ''
  const tracked = places.filter(isTracked)
  if (tracked.length === 0) return `The files have no place that a front end reads. Record them again.${asText}`
  const { documented, assumed, unknown } = countStandings(tracked)
  const gaps = new Set(tracked.flatMap((place) => (place.standing === 'assumed' ? place.gaps : [])))
  const promised = assumed + unknown
  const missing =
    promised === 0
      ? 'The document promises all of them.'
      : `It reads ${count(promised, 'place')} that the document never promised.`
  return `The front end reads ${count(tracked.length, 'place')}: ${documented} documented, ${assumed} assumed (${count(gaps.size, 'open question')}), ${unknown} unknown. ${missing}${asText}`
}

/** Returns false for an answer of which nothing else is known than that it was read as text. */
const isTracked = ({ uses }: StandingPlace) => uses.some((use) => use !== 'text')

const isAsText = ({ uses }: StandingPlace) => uses.includes('text')
