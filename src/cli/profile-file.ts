import { flawOf, type Profile } from '../profile/profile.ts'
import { UsageError } from './exit.ts'
import { readInputJson } from './input-file.ts'

/** Reads a profile that a flag names. Throws a `UsageError` that says what is wrong with it. */
export async function readProfileFile(path: string, flag: string): Promise<Profile> {
  return profileIn(await readInputJson(path, { what: 'The profile', advice: `Name a JSON file with ${flag}.` }), path)
}

/** Returns the profile that a JSON value is. Throws a `UsageError` that says what is wrong with it; `path` is its file. */
export function profileIn(value: unknown, path: string): Profile {
  const flaw = flawOf(value)
  if (flaw === undefined) return value as Profile
  throw new UsageError(`The profile ${path} cannot be used: ${flaw}. Correct it.`)
}
