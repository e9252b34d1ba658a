import openapiTypescript, { astToString } from 'openapi-typescript'

/** Generates the TypeScript types of a contract. */
export async function generateTypes(contract: string): Promise<string> {
  // Clients may omit a field that has a default.
  const nodes = await openapiTypescript(new URL(`../${contract}`, import.meta.url), { defaultNonNullable: false })
  return astToString(nodes)
}
