/** A tenant file cannot be imported. `pointer` is the JSON Pointer (RFC 6901) to the place that is wrong. */
export class TenantFileError extends Error {
  constructor(
    readonly pointer: string,
    message: string,
  ) {
    super(message)
  }
}
