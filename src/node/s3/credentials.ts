import { ArchiveError } from '../../world/archive.ts'
import { reasonOf } from '../journal/errors.ts'

/** The credentials of a client of an S3 store. */
export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Belongs to temporary credentials. */
  readonly sessionToken?: string
  /** The time at which temporary credentials end. */
  readonly expiration?: Date
}

/** How long before their end credentials are renewed, in milliseconds: longer than upload URLs are valid. */
const aheadMs = 20 * 60_000
/** The shortest time between two renewals, in milliseconds. */
const pauseMs = 60_000
/** The longest time of a timer, in milliseconds. */
const longestMs = 2 ** 31 - 1

/** Credentials that are renewed before they end. */
export class RenewedCredentials {
  readonly #source: () => Promise<S3Credentials>
  readonly #warn: (message: string) => void
  #current: S3Credentials
  #timer: NodeJS.Timeout | undefined

  private constructor(current: S3Credentials, source: () => Promise<S3Credentials>, warn: (message: string) => void) {
    this.#current = current
    this.#source = source
    this.#warn = warn
    this.#renewLater()
  }

  /** Gets the first credentials. Rejects with an `ArchiveError` without any. `warn` is called if they cannot be renewed later. */
  static async from(
    source: () => Promise<S3Credentials>,
    warn: (message: string) => void = () => {},
  ): Promise<RenewedCredentials> {
    try {
      return new RenewedCredentials(await source(), source, warn)
    } catch (error) {
      throw new ArchiveError(`There are no credentials for the store: ${sentenceOf(error)} Check where they come from.`)
    }
  }

  /** The credentials now. They may have ended if they could not be renewed. */
  get current(): S3Credentials {
    return this.#current
  }

  /** Ends the renewal. */
  stop(): void {
    clearTimeout(this.#timer)
  }

  #renewLater(): void {
    const { expiration } = this.#current
    if (!expiration) return
    const wait = Math.min(Math.max(expiration.getTime() - Date.now() - aheadMs, pauseMs), longestMs)
    this.#timer = setTimeout(() => void this.#renew(), wait).unref()
  }

  async #renew(): Promise<void> {
    try {
      this.#current = await this.#source()
    } catch (error) {
      const end = this.#current.expiration?.toISOString()
      this.#warn(
        `The credentials for the store cannot be renewed: ${sentenceOf(error)} They end at ${end}; the next try is in a minute.`,
      )
    }
    this.#renewLater()
  }
}

function sentenceOf(error: unknown): string {
  return reasonOf(error).replace(/\.?$/, '.')
}
