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
export interface RenewedCredentials {
  /** The credentials now. They may have ended if they could not be renewed. */
  readonly current: S3Credentials
  /** Ends the renewal. */
  stop(): void
}

/** Gets the first credentials. Rejects with an `ArchiveError` without any. `warn` is called if they cannot be renewed later. */
export async function renewedCredentials(
  source: () => Promise<S3Credentials>,
  warn: (message: string) => void,
): Promise<RenewedCredentials> {
  let current = await source().catch((error: unknown) => {
    throw new ArchiveError(`There are no credentials for the store: ${sentenceOf(error)} Check where they come from.`)
  })
  let timer: NodeJS.Timeout | undefined
  const renewLater = () => {
    const { expiration } = current
    if (!expiration) return
    const wait = Math.min(Math.max(expiration.getTime() - Date.now() - aheadMs, pauseMs), longestMs)
    timer = setTimeout(async () => {
      try {
        current = await source()
      } catch (error) {
        warn(
          `The credentials for the store cannot be renewed: ${sentenceOf(error)} They end at ${expiration.toISOString()}; the next try is in a minute.`,
        )
      }
      renewLater()
    }, wait).unref()
  }
  renewLater()
  return {
    get current() {
      return current
    },
    stop: () => clearTimeout(timer),
  }
}

function sentenceOf(error: unknown): string {
  return reasonOf(error).replace(/\.?$/, '.')
}
