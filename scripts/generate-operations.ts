import { operationsOf, readYaml, resolve } from './contract.ts'

/** The table of calls: what the router is built from. */
export function operationsModule(): string {
  const document = readYaml('openapi.yaml')
  const rows = operationsOf(document).map(({ operationId, method, path, definition }) => {
    const body = resolve(document, definition.requestBody)
    const row = {
      method,
      path,
      needsKey: (definition.security ?? document.security).length > 0,
      jsonBody: Boolean(body?.content['application/json']),
    }
    return `  ${operationId}: ${JSON.stringify(row)},`
  })
  return `export const operations = {\n${rows.join('\n')}\n} as const\n`
}
