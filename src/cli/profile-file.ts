import { readFile } from 'node:fs/promises'
import { type Profile, readProfile } from '../profile/profile.ts'
import { UsageError } from './exit.ts'

/** Reads a profile that a flag names. Throws a `UsageError` that says what is wrong with it. */
export async function readProfileFile(path: string, flag: string): Promise<Profile> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UsageError(`The profile cannot be read: ${why}. Name a JSON file with ${flag}.`)
  }
  const { profile, flaw } = readProfile(text)
  if (flaw) throw new UsageError(`The profile ${path} cannot be used: ${flaw}. Correct it.`)
  return profile
}
