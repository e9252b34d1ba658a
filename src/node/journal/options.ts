export interface JournalOptions {
  /** Signs upload URLs; a journal that has a secret keeps it. @default drawn at random */
  readonly secret?: string
  /** Moves damaged lines into a file of their own, instead of refusing the journal. @default false */
  readonly repair?: boolean
  /** Told of what a user has to know. @default nobody */
  readonly warn?: (message: string) => void
  /** Keeps others from a file until the function that it returns is called. @default keeps nobody */
  readonly lock?: (path: string) => () => void
}
