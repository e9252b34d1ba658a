import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Something that a user calls or sets, and the example of its doc comment. */
export interface Documented {
  /** `createMock`, or `MockOptions.seed`. */
  readonly name: string
  readonly comment: string
  /** The code of the example; undefined if there is none. */
  readonly example: string | undefined
}

/** The interfaces of options, by the entry point that exports what takes them. */
const optionTypes = {
  countersign: { 'src/mock.ts': ['MockOptions'], 'src/http/admin/admin-guard.ts': ['AdminGuardOptions'] },
  'countersign/node': { 'src/node/start-mock.ts': ['StartOptions'], 'src/node/http.ts': ['PatienceOptions'] },
  'countersign/msw': { 'mocks/handlers.ts': ['HandlerOptions'] },
  'countersign/client': {
    'src/client/calls.ts': ['ClientOptions'],
    'src/client/upload.ts': ['UploadOptions'],
    'src/client/wait.ts': ['WaitOptions'],
    'src/client/retry.ts': ['RetryOptions'],
  },
  'countersign/reads': { 'src/reads/index.ts': ['TrackOptions'] },
  'countersign/reads/vitest': { 'src/reads/vitest.ts': ['RecordOptions'] },
  'countersign/vitest': {
    'conformance/run/vitest.ts': ['ConformanceOptions'],
    'conformance/run/runner.ts': ['RunOptions'],
    'conformance/run/safety.ts': ['SafetyOptions'],
    'conformance/wire/target.ts': ['TargetOptions'],
    'conformance/wire/transport.ts': ['TransportOptions'],
  },
} as const

/** Options that `ConformanceOptions` changes or leaves out, and one without an example: its object fits into no line. */
const leftOut = [
  ...['SafetyOptions.url', 'SafetyOptions.apiKey', 'SafetyOptions.profile', 'TargetOptions.apiKey'],
  ...['TransportOptions.perSecond', 'RunOptions.onResult', 'MockOptions.archive'],
]

/** Functions and classes that users call, and the objects whose methods they call. */
const calledIn = {
  'src/mock.ts': ['createMock', 'Mock'],
  'src/node/start-mock.ts': ['startMock', 'RunningMock'],
  'mocks/handlers.ts': ['handlers'],
  'src/client/index.ts': ['createClient', 'Client'],
  'src/client/calls.ts': ['dataOf'],
  'src/client/error.ts': ['ClientError'],
  'conformance/run/vitest.ts': ['describeConformance'],
  'src/reads/index.ts': ['trackReads', 'Reads'],
  'src/reads/vitest.ts': ['recordReads'],
} as const

/** Returns every option that a user can set, with the entry point that exports it. */
export function documentedOptions(): (Documented & { readonly entry: string })[] {
  const all = Object.entries(optionTypes).flatMap(([entry, files]) =>
    Object.entries(files).flatMap(([file, names]) =>
      declarationsOf(file, names)
        .flatMap((node) => (ts.isInterfaceDeclaration(node) ? node.members.map(documented) : []))
        .map((one) => ({ ...one, entry })),
    ),
  )
  return all.filter(({ name, comment }) => !isInternal(comment) && !leftOut.includes(name))
}

/** Returns everything that a user calls. */
export function documentedCalls(): Documented[] {
  const all = Object.entries(calledIn).flatMap(([file, names]) =>
    declarationsOf(file, names).flatMap((node) =>
      ts.isInterfaceDeclaration(node)
        ? node.members
            .filter((member) => ts.isMethodSignature(member) || /fetch|journal/.test(nameOf(member)))
            .map(documented)
        : documented(node),
    ),
  )
  return all.filter(({ comment }) => !isInternal(comment))
}

function declarationsOf(file: string, names: readonly string[]): (ts.DeclarationStatement & ts.Node)[] {
  const source = ts.createSourceFile(file, readFileSync(root + file, 'utf8'), ts.ScriptTarget.Latest, true)
  return names.map((name) => {
    const found = source.statements.find(
      (node): node is ts.InterfaceDeclaration | ts.FunctionDeclaration | ts.ClassDeclaration =>
        (ts.isInterfaceDeclaration(node) || ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) &&
        node.name?.text === name,
    )
    if (!found) throw new Error(`${file} does not declare ${name}. Correct the list in test/support/doc-examples.ts.`)
    return found
  })
}

function documented(node: ts.NamedDeclaration): Documented {
  const [jsDoc] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)
  const tag = jsDoc?.tags?.find(({ tagName }) => tagName.text === 'example')
  const text = tag ? (ts.getTextOfJSDocComment(tag.comment) ?? '') : undefined
  const [, fenced, inline] = text?.match(/^```js\n([\s\S]*?)\n```$|^`([^`]+)`$/) ?? []
  const owner = ts.isInterfaceDeclaration(node.parent) ? `${node.parent.name.text}.` : ''
  return { name: owner + nameOf(node), comment: jsDoc?.getText() ?? '', example: fenced ?? inline }
}

function nameOf({ name }: ts.NamedDeclaration): string {
  return name?.getText() ?? ''
}

function isInternal(comment: string): boolean {
  return comment.includes('@internal')
}
