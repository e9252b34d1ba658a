import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { redocly } from '../../scripts/redocly.ts'
import { learnedContract, readContract, toYaml } from '../../src/learn/contract.ts'
import { scratch } from '../support/scratch.ts'
import { deployment, lesson } from './deployment.ts'

test('the written contract is what Redocly makes of the overlay, and passes its rules', async () => {
  const folder = scratch()
  const made = learnedContract(await readContract(), deployment, lesson)
  const [overlay, contract, bundle] = ['overlay.yaml', 'openapi.yaml', 'bundle.yaml'].map((name) => join(folder, name))
  writeFileSync(`${overlay}`, await toYaml(made.overlay))
  writeFileSync(`${contract}`, await toYaml(made.contract))
  const bundled = await redocly(['bundle', '../../openapi.yaml', '--overlay', `${overlay}`, '--output', `${bundle}`])
  expect(bundled.code, bundled.stderr).toBe(0)
  expect(parse(readFileSync(`${contract}`, 'utf8'))).toEqual(parse(readFileSync(`${bundle}`, 'utf8')))
  const linted = await redocly(['lint', '--config', 'redocly.learned.yaml', `${contract}`, `${overlay}`])
  expect(linted.code, linted.stdout + linted.stderr).toBe(0)
  // An example that does not fit its schema is found.
  writeFileSync(`${contract}`, readFileSync(`${contract}`, 'utf8').replaceAll('id: 41', 'id: none'))
  expect((await redocly(['lint', '--config', 'redocly.learned.yaml', `${contract}`])).code).toBe(1)
})
