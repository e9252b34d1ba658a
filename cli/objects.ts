import { exec } from 'node:child_process'
import { promisify } from 'node:util'
import type { S3Credentials } from '../src/node/s3/credentials.ts'
import { initObjects } from '../src/node/s3/init.ts'
import type { S3Options } from '../src/node/s3/s3-client.ts'
import { exit, UsageError } from './exit.ts'
import { jsonObjectIn } from './input.ts'
import type { Flags } from './options.ts'
import { noteSecret } from './secrets.ts'

/** Lets pages send files to a bucket, and returns the exit code. */
export async function initBucket(
  { origin = ['*'], ...flags }: Flags<'objects init'>,
  [url = '']: readonly string[],
): Promise<number> {
  process.stdout.write(`${await initObjects(s3OptionsFrom(url, flags), origin)}\n`)
  return exit.ok
}

/** Returns the store that flags and environment describe. Throws a `UsageError`. */
export function s3OptionsFrom(
  url: string,
  { objectsEndpoint, objectsAddressing, objectsCredentials }: Omit<Flags<'objects init'>, 'origin'>,
): S3Options {
  const bucket = url.match(/^s3:\/\/([^/]+)\/?$/i)?.[1]
  if (bucket === undefined) throw new UsageError('The objects are no bucket. Use s3://bucket, without a path.')
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env
  const region = AWS_REGION || AWS_DEFAULT_REGION
  return {
    bucket,
    ...(objectsCredentials === undefined
      ? credentialsInEnvironment()
      : { credentials: () => credentialsOf(objectsCredentials) }),
    ...(region && { region }),
    ...(objectsEndpoint !== undefined && { endpoint: objectsEndpoint }),
    ...(objectsAddressing && { addressing: objectsAddressing }),
  }
}

function credentialsInEnvironment(): S3Credentials {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env
  if (AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY) {
    const keys = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY }
    return { ...keys, ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }) }
  }
  throw new UsageError(
    'A bucket needs credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or --objects-credentials.',
  )
}

/** The longest time that the command for credentials may take, in milliseconds. */
const commandMs = 30_000

/** Runs a command that prints credentials in the format of `credential_process`. Rejects with a message without them. */
async function credentialsOf(command: string): Promise<S3Credentials> {
  const printed = await promisify(exec)(command, { timeout: commandMs }).catch(
    ({ code }: { readonly code?: unknown }) => {
      throw new Error(`The command of --objects-credentials failed (exit code ${code ?? 'none'}).`)
    },
  )
  const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = jsonObjectIn(printed.stdout)
  if (typeof AccessKeyId !== 'string' || typeof SecretAccessKey !== 'string') {
    throw new Error('The command of --objects-credentials prints no JSON with AccessKeyId and SecretAccessKey.')
  }
  for (const secret of [SecretAccessKey, SessionToken]) if (typeof secret === 'string') noteSecret(secret)
  return {
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    ...(typeof SessionToken === 'string' && { sessionToken: SessionToken }),
    ...(typeof Expiration === 'string' && { expiration: new Date(Expiration) }),
  }
}
