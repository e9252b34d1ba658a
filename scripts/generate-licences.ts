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

/** An installed package, with the names of the packages that depend on it. */
export interface Installed extends Manifest {
  readonly askedForBy: string[]
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** Resolves a package as Node does, from the folder of the package that depends on it. */
function folderOf(name: string, from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name)
    if (existsSync(found)) return found
    if (folder === dirname(folder)) throw new Error(`The package ${name} is not installed. Run npm ci.`)
  }
}

/** Lists the packages that are installed with ours, without ours, sorted by name. */
export function listInstalledPackages(): Installed[] {
  const found = new Map<string, Installed>()
  const visit = (folder: string): void => {
    const { name, dependencies, optionalDependencies } = manifestIn(folder)
    for (const wanted of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const path = folderOf(wanted, folder)
      const known = found.get(path)
      if (!known) {
        found.set(path, { ...manifestIn(path), askedForBy: [name] })
        visit(path)
      } else known.askedForBy.push(name)
    }
  }
  visit(root)
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Generates docs/licences.md. */
export function licencesPage(): string {
  const rows = listInstalledPackages().map(
    ({ name, license = 'none', askedForBy }) => `| ${name} | ${license} | ${askedForBy.sort().join(', ')} |`,
  )
  return `# Licences\n\nCountersign itself is under the MIT licence. The console contains Preact, the documentation Redoc and\nMiniSearch, and \`countersign mcp\` the SDK of the Model Context Protocol with Zod, \`countersign compare\`\nfast-check; their licences are beside them in the package. These packages are installed with it.\n\n${[
    '| package | licence | required by |',
    '|---|---|---|',
    ...rows,
  ].join('\n')}\n`
}
