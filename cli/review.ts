/** Goes through what was learned with a person at the terminal. */

import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type OutputKind, writeFiles } from '../conformance/report/write.ts'
import { showHidden, truncate } from '../conformance/wire/inert.ts'
import { type Correction, type Found, foundIn, notFound, settle, valueless } from '../src/learn/review.ts'
import type { Profile } from '../src/profile/profile.ts'
import { exit } from './exit.ts'
import { profileFile, readAs } from './input.ts'
import { sessionFile } from './session.ts'
import { jsonShown } from './shown.ts'

/** What is written to the folder of `learn`. */
export const output: OutputKind = { what: 'The profile', advice: 'Choose another folder with --out.' }

/**
 * Shows each thing that was found in a folder, and takes what a person says of it from the standard input. Writes the profile after each,
 * so that nothing is lost if it is interrupted. Returns the exit code.
 */
export async function reviewLearned(folder: string): Promise<number> {
  const advice = 'Learn the deployment first, or name the folder with its profile with --out.'
  let profile = await readAs(join(folder, 'profile.json'), { ...profileFile('--out'), advice })
  const { exchanges } = await readAs(join(folder, 'session.har'), sessionFile({ keepsLists: true }))
  const found = foundIn(profile, exchanges)
  print(`Things to settle: ${found.length}. Enter keeps one, another value corrects it, - removes it, and q ends.\n`)
  const input = createInterface({ input: process.stdin })
  const lines = input[Symbol.asyncIterator]()
  let settled = 0
  try {
    for (const one of found) {
      print(`\n${settled + 1} of ${found.length}  ${textOf(one)}`)
      const corrected = await askUntilSettled(lines, (said) => settle(profile, one, said, exchanges))
      if (corrected === undefined) break
      profile = corrected
      settled += 1
      await writeFiles(folder, [['profile.json', profileText(profile)]], output)
    }
  } finally {
    // An open terminal would keep the process running.
    input.close()
  }
  print(
    `\nSettled ${settled} of ${found.length} in ${join(folder, 'profile.json')}. What is settled is never guessed again.`,
  )
  return exit.ok
}

/** Asks until what is said can be used. Returns undefined at the end of the input, and for `q`. */
async function askUntilSettled(
  lines: AsyncIterator<string>,
  settleAs: (said: Correction) => Profile | string,
): Promise<Profile | undefined> {
  for (;;) {
    process.stdout.write('> ')
    const { value, done } = await lines.next()
    const text = done ? 'q' : value.trim()
    if (text === 'q') return undefined
    const settled = settleAs(correctionIn(text))
    if (typeof settled !== 'string') return settled
    print(settled)
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

function correctionIn(text: string): Correction {
  return text === '' ? { is: 'right' } : text === '-' ? { is: 'none' } : { is: 'other', text }
}

function textOf({ name, setting, doubt, shown }: Found): string {
  if (doubt === notFound) {
    const places = shown.flatMap(({ value }) => value as readonly string[]).join(' ')
    return `${name}  was not found. Type where it is, or Enter if it is nowhere.\n   Places: ${showHidden(truncate(places, 400))}`
  }
  const found = name.startsWith('accepts ') || name.startsWith('refuses ') ? '' : `  ${jsonShown(setting, 100)}`
  const rows = shown.map(({ call, value }) => `   ${showHidden(truncate(call, 50))}: ${jsonShown(value, 100)}`)
  return [
    `${name}${found}`,
    ...(doubt === undefined ? [] : [`   ${doubt === valueless ? 'Wrong' : 'A guess'}: ${doubt}.`]),
    ...rows,
  ].join('\n')
}

/** The widest line of a profile. */
const widest = 120

/** Writes a profile for people: what they correct first, what was learned last, and what fits on one line there. */
export function profileText(profile: Profile): string {
  const { version, locators, settled, learned, answers, refusals, ...others } = profile
  const inOrder = { version, locators, settled, ...others, answers, refusals, learned }
  return `${written(JSON.parse(JSON.stringify(inOrder)), '')}\n`
}

function written(value: unknown, indent: string): string {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ')
  if (value === null || typeof value !== 'object' || indent.length + line.length <= widest) return line
  const inner = `${indent}  `
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const parts = Object.entries(value).map(([name, one]) => {
    const start = Array.isArray(value) ? '' : `${JSON.stringify(name)}: `
    return `${inner}${start}${written(one, inner)}`
  })
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`
}
