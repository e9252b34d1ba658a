/** The ways in which a deployment's storage is more lenient or stricter than S3. */
export interface StorageTolerance {
  /** Returns true if a PUT is accepted that S3 refuses with a code; `about` tells refusals with one code apart. */
  accepts(code: string, about?: 'type' | 'length' | 'encoding'): boolean
  /** True if a second PUT to the same address is refused. */
  readonly refusesAgain: boolean
}
