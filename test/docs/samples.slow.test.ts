import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { operationsOf } from '../../scripts/contract.ts'
import { samplesOf } from '../../scripts/docs/samples.ts'
import { contract } from '../support/contract.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const samples = operationsOf(contract).map((operation) => {
  const [, client] = samplesOf(contract, operation)
  return { operationId: operation.operationId, client: client?.source ?? '' }
})

/** Compiles modules as if they were beside this test. Returns the errors of TypeScript. */
function complaintsOf(modules: Record<string, string>): string[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const paths = { 'countersign/client': [join(root, 'src/client/index.ts')] }
  const host = ts.createCompilerHost({ ...options, paths })
  const texts = new Map(Object.entries(modules).map(([name, text]) => [join(root, 'test/docs', name), text]))
  const { fileExists, readFile } = host
  host.fileExists = (name) => texts.has(name) || fileExists(name)
  host.readFile = (name) => texts.get(name) ?? readFile(name)
  const program = ts.createProgram([...texts.keys()], { ...options, paths }, host)
  const diagnostics = [...texts.keys()].flatMap((name) => {
    const file = program.getSourceFile(name)
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]
  })
  return diagnostics.map(
    ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  )
}

const [{ client: sound = '' } = {}] = samples
const wrong = sound.replace("name: 'Supplier contract'", 'name: 1')
const modules = samples.map(({ operationId, client }): [string, string] => [`${operationId}.sample.ts`, client])
// A compiler takes seconds to start, so all modules share one.
const complaints = complaintsOf({ ...Object.fromEntries(modules), 'wrong.sample.ts': wrong })
const isWrong = (complaint: string) => complaint.includes('wrong.sample.ts')

test('the samples of the typed client compile', () => {
  expect(complaints.filter((complaint) => !isWrong(complaint))).toEqual([])
})

test('a sample with a field of another type does not compile', () => {
  expect(wrong).not.toBe(sound)
  expect(complaints.filter(isWrong)).toHaveLength(1)
})
