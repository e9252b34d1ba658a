import { type Node, readYaml } from './contract.ts'
import { tableModule } from './write-generated.ts'

/** Generates the catalogue as a module, so that a check that cites an unknown id does not compile. */
export function catalogueModule(): string {
  const table = (name: string, type: string) => {
    const entries: Node[] = readYaml(`conformance/catalogue/${name}.yaml`)
    const rows = entries.map(({ id, ...entry }): [string, object] => [id, entry])
    return tableModule(name, rows, ` as const satisfies Record<string, ${type}>`)
  }
  const types = "import type { Gap, Requirement } from './entries.ts'\n"
  return [types, table('requirements', 'Requirement'), table('gaps', 'Gap')].join('\n')
}
