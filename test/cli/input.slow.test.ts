import { execFileSync } from 'node:child_process'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readJsonFile } from '../../cli/input.ts'
import { scratch } from '../support/scratch.ts'

const kind = { what: 'The profile', advice: 'Name a JSON file with --like.' }

const writeLarge = (path: string) => {
  writeFileSync(path, '')
  truncateSync(path, 65 * 1024 * 1024)
}

test.each([
  ['64 MiB', writeLarge],
  ['4,000,000 values', (path: string) => writeFileSync(path, `[${'0,'.repeat(4e6)}0]`)],
])('a file that has more than %s is refused with what to do', async (most, write) => {
  const path = join(scratch(), 'profile.json')
  write(path)
  const flaw = `The profile ${path} has more than ${most}. Name a JSON file with --like.`
  await expect(readJsonFile(path, kind)).rejects.toThrow(flaw)
})

test('a process with too many open files is told so', () => {
  const path = join(scratch(), 'profile.json')
  writeFileSync(path, '{}')
  const code = `
    import { openSync } from 'node:fs'
    const { readJsonFile } = await import(${JSON.stringify(new URL('../../cli/input.ts', import.meta.url).href)})
    // The loader may close a file of its own in between, so files are opened until reading one fails.
    let answer
    do {
      try { for (;;) openSync(${JSON.stringify(path)}) } catch {}
      answer = await readJsonFile(${JSON.stringify(path)}, ${JSON.stringify(kind)}).catch((error) => error.message)
    } while (typeof answer !== 'string')
    console.log(answer)
  `
  const shell = `ulimit -n 64 && exec "$0" --import tsx --input-type=module -e "$1"`
  expect(execFileSync('bash', ['-c', shell, process.execPath, code], { encoding: 'utf8' })).toMatch(
    /has too many open files \(see ulimit -n\)\. Name a JSON file/,
  )
})
