/** Goes through what was learned with a person at the terminal. */

import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type OutputKind, writeFiles } from '../conformance/report/write.ts'
import { showHidden, truncate } from '../conformance/wire/inert.ts'
import { type Correction, type Found, foundIn, settle } from '../src/learn/review.ts'
import type { Profile } from '../src/profile/profile.ts'
import { exit } from './exit.ts'
import { profileFile, readAs } from './input.ts'
import { sessionFile } from './session.ts'

const output: OutputKind = { what: 'The profile', advice: 'Choose another folder with --out.' }

/** Shows each thing that was found in a folder, takes what a person says of it, and writes the profile. Returns the exit code. */
export async function reviewLearned(folder: string): Promise<number> {
  const file = profileFile('--out')
  let profile = await readAs(join(folder, 'profile.json'), {
    ...file,
    advice: 'Learn the deployment first, or name the folder with its profile with --out.',
  })
  const session = await readAs(join(folder, 'session.har'), sessionFile({ keepsLists: true }))
  const found = foundIn(profile, session.exchanges)
  print(
    `${found.length} things were found. For each, Enter keeps it, another value corrects it, - removes it, and q ends.\n`,
  )
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  let settled = 0
  review: for (const [index, one] of found.entries()) {
    print(`\n${index + 1} of ${found.length}  ${textOf(one)}`)
    for (;;) {
      process.stdout.write('> ')
      const { value, done } = await lines.next()
      if (done || value.trim() === 'q') break review
      const answer = settle(profile, one, correctionIn(value.trim()), session.exchanges)
      if (typeof answer !== 'string') {
        profile = answer
        settled += 1
        break
      }
      print(answer)
    }
  }
  await writeFiles(folder, [['profile.json', profileText(profile)]], output)
  print(
    `\nSettled ${settled} of ${found.length}. Wrote ${join(folder, 'profile.json')}. What is settled is never guessed again.`,
  )
  return exit.ok
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

function correctionIn(text: string): Correction {
  return text === '' ? { is: 'right' } : text === '-' ? { is: 'none' } : { is: 'other', text }
}

const short = (value: unknown) => truncate(showHidden(JSON.stringify(value) ?? 'nothing'), 100)

function textOf({ name, setting, doubt, shown }: Found): string {
  const found = name.startsWith('accepts ') || name.startsWith('refuses ') ? '' : `  ${short(setting)}`
  const rows = shown.map(({ call, value }) => `   ${showHidden(truncate(call, 50))}: ${short(value)}`)
  return [`${name}${found}`, ...(doubt === undefined ? [] : [`   A guess: ${doubt}.`]), ...rows].join('\n')
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
