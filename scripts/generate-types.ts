import openapiTypescript, { astToString } from 'openapi-typescript'

/** The contract as TypeScript types. */
export async function typesModule(): Promise<string> {
  const contract = new URL('../openapi.yaml', import.meta.url)
  // A field with a default is one that the client may leave out.
  return astToString(await openapiTypescript(contract, { defaultNonNullable: false }))
}
