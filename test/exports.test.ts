import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { nonEmpty } from './support/non-empty.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const listed = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', 'cli', 'src', 'conformance', 'mocks', 'scripts'],
  { cwd: root, encoding: 'utf8' },
)
const modules = [...new Set(listed.split('\n'))].filter(
  (file) => file.endsWith('.ts') && !file.includes('.gen.') && existsSync(root + file),
)

/** A declaration that is exported. Biome begins it at the start of a line. */
const exported = /^export (?:declare |abstract |async )*(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm

/** Calls that have an entry of their own for Node, which does the same and also checks where connections go. */
const withEntryForNode = ['createClient', 'describeConformance']

test('no exported name is declared twice', () => {
  const filesByName = new Map<string, string[]>()
  for (const file of nonEmpty(modules)) {
    const found = readFileSync(root + file, 'utf8').matchAll(exported)
    for (const name of new Set([...found].map(([, name = '']) => name))) {
      filesByName.set(name, [...(filesByName.get(name) ?? []), file])
    }
  }
  const repeated = [...filesByName].filter(([, files]) => files.length > 1)
  const unexpected = repeated.filter(([name]) => !withEntryForNode.includes(name))
  expect(unexpected, 'Give one of the two another name: a name has one meaning.').toEqual([])
  expect(repeated.map(([name]) => name).sort()).toEqual(withEntryForNode)
})
