import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Manifest {
  readonly name: string
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly scripts?: Readonly<Record<string, string>>
}

/** A package that users get, and who asks for it. */
export interface Installed extends Manifest {
  readonly askedForBy: readonly string[]
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** The folder that Node finds a package in, from the folder of the one that asks for it. */
function folderOf(name: string, from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name)
    if (existsSync(found)) return found
    if (folder === dirname(folder)) throw new Error(`Failed to find ${name}: because it is not installed. Run npm ci.`)
  }
}

/** Every package that comes with ours, ours not counted, by name. */
export function installed(): Installed[] {
  const found = new Map<string, { manifest: Manifest; askedForBy: string[] }>()
  const look = (folder: string): void => {
    const { name, dependencies, optionalDependencies } = manifestIn(folder)
    for (const wanted of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const at = folderOf(wanted, folder)
      const known = found.get(at)
      if (known) known.askedForBy.push(name)
      else {
        found.set(at, { manifest: manifestIn(at), askedForBy: [name] })
        look(at)
      }
    }
  }
  look(root)
  return [...found.values()]
    .map(({ manifest, askedForBy }) => ({ ...manifest, askedForBy: askedForBy.sort() }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The page that lists their licences. */
export function licencesPage(): string {
  const rows = installed().map(
    ({ name, license = 'none', askedForBy }) => `| ${name} | ${license} | ${askedForBy.join(', ')} |`,
  )
  return `# Licences\n\nWhat is installed with Countersign, which is under the MIT licence itself.\n\n${[
    '| package | licence | asked for by |',
    '|---|---|---|',
    ...rows,
  ].join('\n')}\n`
}
