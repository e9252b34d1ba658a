import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { rowsIn } from '../../scripts/docs/markdown.ts'
import { nonEmpty } from '../support/non-empty.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(root + path, 'utf8')
const files = execFileSync('git', ['ls-files', 'cli', 'src', 'conformance/**.ts'], { cwd: root, encoding: 'utf8' })
const sources = files.trim().split('\n').map(read).join('\n').toLowerCase()

/** The messages that a user reads, as pieces without what differs. */
const pieces = rowsIn(read('docs/troubleshooting.md')).flatMap(([seen = '']) =>
  [...seen.matchAll(/`([^`]+)`/g)].flatMap(([, message = '']) => message.split('…')),
)

test('the page on troubleshooting quotes messages of the program', () => {
  const trimmed = pieces.map((piece) => piece.trim().toLowerCase()).filter((piece) => /\w/.test(piece))
  expect(nonEmpty(trimmed).filter((piece) => !sources.includes(piece))).toEqual([])
})
