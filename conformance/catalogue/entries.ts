/** A statement that a deployment must, or should, fulfil. */
export interface Requirement {
  /** The section of interface.md, or of the standard, that states it. */
  readonly section: string
  readonly also?: readonly string[]
  readonly fact: string
  /** The sentence of interface.md; absent if a standard states it. */
  readonly quote?: string
  readonly provenance: 'documented' | 'inherited' | 'assumed'
  readonly basis?: 'implied'
  readonly inference?: string
  readonly level: 'must' | 'should' | 'observe'
  readonly binds: 'service' | 'client'
  /** The reason why no client can observe it; absent if there is a check. */
  readonly unobservable?: string
}

/** A question that interface.md leaves open. */
export interface Gap {
  readonly section: string
  readonly question: string
  readonly choice: string
  readonly why: string
  readonly plausible: readonly string[]
  /** The way to find out on a deployment; absent if the suite's report answers it. */
  readonly ask?: string
  /** The profile entries that tell the suite. */
  readonly profile?: readonly string[]
}
