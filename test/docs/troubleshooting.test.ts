import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { rowsIn } from '../../scripts/docs/markdown.ts'
import { nonEmpty } from '../support/non-empty.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(root + path, 'utf8')
const files = execFileSync('git', ['ls-files', 'cli', 'src', 'conformance/**.ts'], { cwd: root, encoding: 'utf8' })
const sources = files.trim().split('\n').map(read).join('\n')

/** The messages that a user reads. `…` stands for what differs. */
const messages = rowsIn(read('docs/troubleshooting.md')).flatMap(([seen = '']) =>
  [...seen.matchAll(/`([^`]+)`/g)].map(([, message = '']) => message),
)

/** Returns a pattern for a message in the sources. It may begin a sentence there. */
function patternOf(message: string): RegExp {
  const parts = message.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(parts.join('[^\n]{0,80}'), 'i')
}

test('the page on troubleshooting quotes messages of the program', () => {
  expect(nonEmpty(messages).filter((message) => !patternOf(message).test(sources))).toEqual([])
})
