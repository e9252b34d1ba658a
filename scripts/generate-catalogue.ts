import { type Node, readYaml } from './contract.ts'

function moduleOf(name: string, type: string, entries: Node[]): string {
  const rows = entries.map(({ id, ...entry }) => `  ${JSON.stringify(id)}: ${JSON.stringify(entry)},`)
  return `export const ${name} = {\n${rows.join('\n')}\n} as const satisfies Record<string, ${type}>\n`
}

/** Generates the catalogue as a module, so that a check that cites an unknown id does not compile. */
export function catalogueModule(): string {
  return [
    "import type { Gap, Requirement } from './entries.ts'\n",
    moduleOf('requirements', 'Requirement', readYaml('conformance/catalogue/requirements.yaml')),
    moduleOf('gaps', 'Gap', readYaml('conformance/catalogue/gaps.yaml')),
  ].join('\n')
}
