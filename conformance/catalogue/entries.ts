/** A statement that a deployment is held to. */
export interface Requirement {
  /** The section of interface.md, or of the standard, that says it. */
  readonly section: string
  readonly also?: readonly string[]
  readonly fact: string
  /** The words of interface.md; absent where a standard says it. */
  readonly quote?: string
  readonly provenance: 'documented' | 'inherited' | 'assumed'
  readonly basis?: 'implied'
  readonly inference?: string
  readonly level: 'must' | 'should' | 'observe'
  readonly binds: 'service' | 'client'
  /** Why no client can see whether it holds; absent where a check can. */
  readonly unobservable?: string
}

/** A question that interface.md leaves open. */
export interface Gap {
  readonly section: string
  readonly question: string
  readonly choice: string
  readonly why: string
  readonly plausible: readonly string[]
  /** How to find out on a deployment; absent where the suite's report answers it. */
  readonly ask?: string
  /** Entries of a profile that say it to the suite. */
  readonly profile?: readonly string[]
}
