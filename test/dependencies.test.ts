import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { listInstalledPackages } from '../scripts/generate-licences.ts'
import { nonEmpty } from './support/non-empty.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))

test('every dependency has its reason in a decision', () => {
  const decisions = readdirSync(`${root}docs/decisions`).map((file) =>
    readFileSync(`${root}docs/decisions/${file}`, 'utf8'),
  )
  for (const name of nonEmpty(Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }))) {
    expect(
      decisions.some((text) => text.includes(`| \`${name}\` |`)),
      name,
    ).toBe(true)
  }
})

test('all installed packages have permissive licences', () => {
  const permissive = ['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0']
  const others = listInstalledPackages().filter(({ license = '' }) => !permissive.includes(license))
  expect(others.map(({ name, license }) => `${name}: ${license}`)).toEqual([])
})

test('the page on reliability counts the dependencies, and names their licences', () => {
  const installed = listInstalledPackages()
  const direct = Object.keys(manifest.dependencies).length
  const optional = Object.keys(manifest.optionalDependencies).length
  const licences = [...new Set(installed.map(({ license }) => license))].sort().join(', ')
  const rest = installed.length - direct - optional
  expect(readFileSync(`${root}docs/reliability.md`, 'utf8')).toContain(
    `| dependencies | ${direct} and an optional one, with ${rest} of their own, all under ${licences} (`,
  )
  expect(optional).toBe(1)
})

test('no package runs a script when it is installed', () => {
  const atInstall = ['preinstall', 'install', 'postinstall']
  const running = [manifest, ...listInstalledPackages()].filter(({ scripts = {} }) =>
    atInstall.some((name) => name in scripts),
  )
  expect(running.map(({ name }) => name)).toEqual([])
  const ours = Object.keys(manifest.scripts).filter((name) =>
    /^(pre|post)?(prepare|pack|publish)$|^(pre|post)?install$/.test(name),
  )
  expect(ours).toEqual(['prepare'])
})

test('installed packages are listed by name', () => {
  const names = listInstalledPackages().map(({ name }) => name)
  expect(nonEmpty(names)).toEqual(names.toSorted())
})
