import { followIdentifiers, Places } from '../learning/roles.ts'
import { type RunOptions, run } from '../run/runner.ts'
import { bounded } from '../session/bounds.ts'
import { historyOf } from '../wire/record.ts'

/** The result of a discovery, and its cost. */
export interface Discovered {
  readonly places: Places
  readonly sent: number
  readonly leftBehind: readonly string[]
}

/**
 * Finds out in which places a deployment shows its identifiers: takes the steps of the suite that use them, and follows what
 * was accepted. Throws `Undecided` if nothing answers.
 */
export async function discoverPlaces(options: RunOptions): Promise<Discovered> {
  const selects: RunOptions['selects'] = (id) =>
    id === 'flow.document-id-refers-to-upload' || id === 'workflow.ids-differ'
  const result = await run({ ...options, selects, gaps: false, tries: 1 })
  const places = new Places()
  const answered = historyOf(result).log.flatMap((entry) => ('status' in entry ? [entry] : []))
  followIdentifiers(
    answered.map((exchange, at) => bounded({ ...exchange, at })),
    places,
  )
  return { places, sent: result.requests.sent, leftBehind: result.leftBehind }
}
