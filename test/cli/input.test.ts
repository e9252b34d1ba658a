import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readJsonFile } from '../../cli/input.ts'
import { mustFail, runWith } from '../support/command.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { scratch } from '../support/scratch.ts'
import { freshKey } from '../support/service.ts'

const kind = { what: 'The profile', advice: 'Name a JSON file with --like.' }

/** Every command that reads a file, each with the file as its last argument. */
const commands = {
  judge: ['judge'],
  'learn --from': ['learn', '--out', 'learned', '--from'],
  'mock --like': ['mock', '--port', '0', '--like'],
  'conformance --profile': ['conformance', '--profile'],
  'conformance --baseline': ['conformance', '--baseline'],
  'conformance --reads': ['conformance', '--reads'],
  'docs --like': ['docs', '--like'],
  reads: ['reads'],
  replay: ['replay'],
  compare: ['compare', 'reference'],
  'compare --session': ['compare', 'reference', 'reference', '--session'],
} as const

// Each command reads its file with the same function, whose other limits are tested below.
test.each(nonEmpty(Object.entries(commands)))('%s refuses a file nested too deep unparsed', async (_, args) => {
  const files = { 'input.json': '['.repeat(1e6) }
  const running = runWith(files, [...args, 'input.json'], { COUNTERSIGN_API_KEY: freshKey() })
  await mustFail(running, 3, /^[^\n]*nested more than 500 levels deep[^\n]*\n$/)
})

test.each([
  ['is missing', () => {}, 'does not exist'],
  ['is a folder', (path: string) => mkdirSync(path), 'is a folder'],
  ['is a link to itself', (path: string) => symlinkSync(path, path), 'is a link that leads to itself'],
  ['is empty', (path: string) => writeFileSync(path, ''), 'is not JSON'],
  ['is a text', (path: string) => writeFileSync(path, 'hello'), 'is not JSON'],
  ['is not UTF-8', (path: string) => writeFileSync(path, '"é"', 'latin1'), 'is not text in UTF-8'],
  ['was cut off', (path: string) => writeFileSync(path, '{"answers": {'), 'ends in the middle of its JSON'],
  ['was cut off in a text', (path: string) => writeFileSync(path, '"a\\"'), 'ends in the middle of its JSON'],
])('a file that %s is refused with what to do', async (_, write, why) => {
  const path = join(scratch(), 'profile.json')
  write(path)
  await expect(readJsonFile(path, kind)).rejects.toThrow(`The profile ${path} ${why}. Name a JSON file with --like.`)
})

test('any JSON is read as it was written, also with a byte order mark', async () => {
  const path = join(scratch(), 'any.json')
  const json = fc.oneof(fc.json(), fc.json({ noUnicodeString: false, maxDepth: 20 }))
  await fc.assert(
    fc.asyncProperty(json, fc.boolean(), async (text, isMarked) => {
      writeFileSync(path, `${isMarked ? '\ufeff' : ''}${text}`)
      expect(await readJsonFile(path, kind)).toEqual(JSON.parse(text))
    }),
  )
})
