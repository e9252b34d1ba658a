/**
 * Records what a front end reads of the answers of the service. For pages and tests; a production build leaves it out.
 *
 * @module countersign/reads
 */
import { requireKnownOptions } from '../known-options.ts'
import { type AnsweredRead, Answers, type AnyFetch } from './answers.ts'
import { allowCloning } from './cloning.ts'
import { type ReadPlace, ReadPlaces, type ReadsFile, textOfReads } from './reads-file.ts'
import { Tracker } from './tracker.ts'

export type { OperationId } from '../contract/operations.ts'
export type { JsonType, ReadUse } from './tracker.ts'
export type { AnyFetch, ReadPlace, ReadsFile }

/** Options of {@link trackReads}. */
export interface TrackOptions {
  /**
   * Base address of the service. Answers from other addresses are left alone.
   *
   * @default any address with a path of the contract
   * @example `{ baseUrl: 'https://approvals.example' }`
   */
  readonly baseUrl?: string
  /**
   * Returns what is running, such as the name of a test. It is asked at each read.
   *
   * @default nothing is known of it
   * @example `{ reader: () => document.title }`
   */
  readonly reader?: () => string | undefined
}

/** The result of {@link trackReads}. */
export interface Reads {
  /**
   * Returns the places that have been read so far.
   *
   * @example
   * ```js
   * import { trackReads } from 'countersign/reads'
   *
   * const reads = trackReads()
   * console.log(reads.places()) // []
   * reads.stop()
   * ```
   */
  places(): readonly ReadPlace[]
  /**
   * Returns the text of `reads.json`.
   *
   * @example
   * ```js
   * import { trackReads } from 'countersign/reads'
   *
   * const reads = trackReads()
   * console.log(JSON.parse(reads.text()).version) // 1
   * reads.stop()
   * ```
   */
  text(): string
  /**
   * Lets the user of a page save the file.
   *
   * @example
   * ```js
   * import { trackReads } from 'countersign/reads'
   *
   * const reads = trackReads()
   * if (globalThis.document) reads.download()
   * reads.stop()
   * ```
   */
  download(name?: string): void
  /**
   * Returns a `fetch` whose answers are tracked, for one that is not the global one, such as that of `createMock`.
   *
   * @example
   * ```js
   * import { createMock } from 'countersign'
   * import { trackReads } from 'countersign/reads'
   *
   * const reads = trackReads()
   * const fetch = reads.follow(createMock().fetch)
   * const { code } = await (await fetch('https://approvals.example/api/v1/workflows/wf_1')).json()
   * console.log(code, reads.places()[0].place) // missing-key /code
   * reads.stop()
   * ```
   */
  follow<Fetch extends AnyFetch>(fetch: Fetch): Fetch
  /**
   * Returns a copy without tracking. It counts as a use of the whole value.
   *
   * @example
   * ```js
   * import { createMock } from 'countersign'
   * import { trackReads } from 'countersign/reads'
   *
   * const reads = trackReads()
   * const fetch = reads.follow(createMock().fetch)
   * const problem = reads.copy(await (await fetch('https://approvals.example/api/v1/workflows/wf_1')).json())
   * console.log(problem.code, reads.places()[0].uses) // missing-key [ 'all' ]
   * reads.stop()
   * ```
   */
  copy<Value>(value: Value): Value
  /**
   * Stops tracking. Answers that were tracked stay as they are.
   *
   * @example
   * ```js
   * import { trackReads } from 'countersign/reads'
   *
   * const reads = trackReads()
   * reads.stop()
   * console.log(reads.places()) // []
   * ```
   */
  stop(): void
}

const trackOptionNames: Readonly<Record<keyof TrackOptions, true>> = { baseUrl: true, reader: true }

let isTracking = false

/**
 * Records from now on which members of the service's answers are read. Bodies that `fetch` or `XMLHttpRequest` gets, and that are parsed
 * by `response.json()`, by `responseType: 'json'` or by `JSON.parse` of their text, become proxies that behave like the values. Throws if
 * it is active already.
 *
 * @example
 * ```js
 * import { trackReads } from 'countersign/reads'
 * import { createMock } from 'countersign'
 *
 * const reads = trackReads()
 * const fetch = reads.follow(createMock().fetch)
 * const init = { headers: { Authorization: 'test_a' } }
 * const { code } = await (await fetch('https://approvals.example/api/v1/workflows/wf_1', init)).json()
 * const [{ operation, status, place }] = reads.places()
 * console.log(code, operation, status, place) // workflow-not-found getWorkflow 404 /code
 * reads.stop()
 * ```
 */
export function trackReads(options: TrackOptions = {}): Reads {
  requireKnownOptions(options, trackOptionNames)
  if (isTracking) throw new Error('Reads are tracked already. Call stop() of the first trackReads() before.')
  isTracking = true
  const { baseUrl, reader = () => undefined } = options
  const tracker = new Tracker()
  let isStopped = false
  const places = new ReadPlaces()
  const asText = (call: AnsweredRead, into = places) => into.add({ ...call, place: '' }, 'text', undefined, call.test)
  const answers = new Answers({
    baseUrl,
    asText: (call) => asText(call),
    reader,
    track: (value, { operation, status }) =>
      tracker.track(value, {
        reader,
        note: (place, use, type, test) => places.add({ operation, status, place }, use, type, test),
      }),
  })
  const restoreCloning = allowCloning((value) => tracker.copy(value))
  const file = (): ReadsFile => {
    tracker.settle()
    const all = new ReadPlaces()
    all.addFile(places.toFile())
    // Code may still parse them.
    for (const call of answers.unparsed()) asText(call, all)
    return all.toFile()
  }
  return {
    follow: (fetch) => answers.follow(fetch),
    places: () => file().places,
    text: () => textOfReads(file()),
    copy: (value) => tracker.copy(value),
    download(name = 'reads.json') {
      const url = URL.createObjectURL(new Blob([textOfReads(file())], { type: 'application/json' }))
      const link = Object.assign(document.createElement('a'), { href: url, download: name })
      link.click()
      URL.revokeObjectURL(url)
    },
    stop() {
      if (isStopped) return
      isStopped = true
      isTracking = false
      answers.stop()
      restoreCloning()
    },
  }
}
