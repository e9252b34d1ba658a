import openapiTypescript, { astToString } from 'openapi-typescript'

/** A contract as TypeScript types. */
export async function typesModule(contract: string): Promise<string> {
  // A field with a default is one that the client may leave out.
  const nodes = await openapiTypescript(new URL(`../${contract}`, import.meta.url), { defaultNonNullable: false })
  return astToString(nodes)
}
