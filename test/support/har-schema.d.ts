/** The JSON Schemas of HAR 1.2, by their names. The package has no types. */
declare module 'har-schema' {
  const schemas: Readonly<Record<string, object>>
  export default schemas
}
