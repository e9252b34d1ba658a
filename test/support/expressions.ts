import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import ts from 'typescript'
import { type Node, readYaml } from '../../scripts/contract.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A regular expression and its place in the sources. */
export interface Found {
  readonly where: string
  readonly expression: RegExp
}

function filesOf(folder: string, ending: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}

const folders = ['cli', 'src', 'conformance', 'mocks']

/** Returns all expressions of the sources, including the validators, except those that are made at run time. */
export function findExpressions(inFolders: readonly string[] = folders): Found[] {
  return made(inFolders).flatMap(({ file, line, text, flags }) =>
    text === undefined ? [] : [{ where: `${file}:${line}`, expression: new RegExp(text, flags) }],
  )
}

/** Returns the files that make expressions at run time, once for each such expression. */
export function madeAtRunTime(): string[] {
  return made(folders).flatMap(({ file, text }) => (text === undefined ? [file] : []))
}

function made(inFolders: readonly string[]): { file: string; line: number; text: string | undefined; flags: string }[] {
  return sources(inFolders).flatMap(([file, source]) => {
    const found: ReturnType<typeof made> = []
    const look = (node: ts.Node): void => {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/')
        found.push({ file, line, text: node.text.slice(1, end), flags: node.text.slice(end + 1) })
      } else if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp') {
        const [text, flags] = (node.arguments ?? []).map((it) => (ts.isStringLiteralLike(it) ? it.text : undefined))
        found.push({ file, line, text, flags: flags ?? '' })
      }
      node.forEachChild(look)
    }
    look(source)
    return found
  })
}

function sources(inFolders: readonly string[]): [file: string, source: ts.SourceFile][] {
  const files = inFolders.flatMap((folder) => filesOf(folder, /\.(ts|js)$/))
  return files.map((file) => [
    file.slice(root.length),
    ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true),
  ])
}

/** Returns all patterns of the contracts and of the schemas of our files. */
export function patterns(): Found[] {
  const documents: [string, Node][] = [
    ...['openapi.yaml', 'src/contract/admin.yaml'].map((path): [string, Node] => [path, readYaml(path)]),
    ...filesOf('conformance', /\.schema\.json$/).map((path): [string, Node] => [
      path.slice(root.length),
      JSON.parse(readFileSync(path, 'utf8')),
    ]),
  ]
  return documents.flatMap(([path, document]) => {
    const found: Found[] = []
    const look = (node: Node, pointer: string): void => {
      if (node === null || typeof node !== 'object') return
      if (typeof node.pattern === 'string') {
        found.push({ where: `${path}#${pointer}`, expression: new RegExp(node.pattern, 'u') })
      }
      for (const [name, value] of Object.entries(node)) look(value, `${pointer}/${name}`)
    }
    look(document, '')
    return found
  })
}

/** Characters that occur in classes and literals of expressions. */
const ordinary = [
  ...'aA0_-./ \t\n\\"\'<>&@=;:,%{}[]()#?+*$!~|^`é№',
  '📄',
  '\u0000',
  '\u001b',
  '\u202e',
  'ab',
  'a.',
  ' a',
  '1.',
  '//',
]
const endings = ['', '!', '\u0000', '\n']

/** Returns texts that are likely to make an expression backtrack. */
export function attacksOn({ source, flags }: RegExp, length: number): string[] {
  const units = [...ordinary, ...source.replaceAll(/\\./g, '')].filter(
    (unit, index, all) => all.indexOf(unit) === index,
  )
  const texts = units.flatMap((unit) => endings.map((end) => repeatText('', unit, end, length)))
  for (const sample of samplesOf(new RegExp(source, flags))) {
    // A beginning of a match, then a short part of it repeated, then a character that does not match.
    for (let at = 0; at < Math.min(sample.length, 12); at += 1) {
      for (const width of [1, 2, 4]) {
        const part = sample.slice(at, at + width)
        texts.push(...['', '\u0000'].map((end) => repeatText(sample.slice(0, at), part, end, length)))
      }
    }
  }
  return texts
}

function repeatText(before: string, part: string, after: string, length: number): string {
  return before + part.repeat(Math.ceil(length / Math.max(part.length, 1))) + after
}

/** Returns texts that an expression matches, or no texts if the generator does not support its syntax. */
function samplesOf({ source, flags }: RegExp): string[] {
  // The generator draws the characters of a negated class from those of ASCII, and never ends if the class excludes all of them.
  const negated = source.match(/\[\^(?:\\.|[^\\\]])*\]/g) ?? []
  if (!negated.every((one) => new RegExp(one).test(printable))) return []
  try {
    return fc.sample(fc.stringMatching(new RegExp(source, flags.replace(/[gy]/g, ''))), { seed: 1, numRuns: 3 })
  } catch {
    return []
  }
}

const printable = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index))
