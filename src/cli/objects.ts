import { exec } from 'node:child_process'
import { promisify } from 'node:util'
import { Command, Option } from 'commander'
import { isObject } from '../contract/json.ts'
import type { S3Credentials } from '../node/s3/credentials.ts'
import type { S3Options } from '../node/s3/s3-client.ts'
import { exit, UsageError } from './exit.ts'
import { httpUrl, wrapped } from './options.ts'
import { noteSecret } from './secrets.ts'

const help = `
The store must be reachable for browsers too: upload URLs lead to it. Credentials come from
AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN) or --objects-credentials, the
region from AWS_REGION or AWS_DEFAULT_REGION. This command needs s3:GetBucketCORS and
s3:PutBucketCORS; a mock needs s3:ListBucket for the bucket, and s3:GetObject and s3:PutObject for
its objects.

Exit codes: 0 done, 3 bad usage, 4 the store cannot be reached or refuses.`

/** Creates `countersign objects`, which prepares a bucket for the files of mocks. */
export function objectsCommand(done: (code: number) => void): Command {
  const init = addStoreOptions(new Command('init'))
    .description('Let pages send files to a bucket: write a CORS rule, and keep the rules of others.')
    .argument('<url>', 'the bucket, such as s3://uploads')
    .option('--objects-endpoint <url>', 'address of the store (default: Amazon S3 in the region)', httpUrl)
    .option('--origin <origins...>', 'origins of the pages, such as https://app.example (default: all)')
    .addHelpText('after', wrapped(help))
    .action(async (url: string, { origin = ['*'], ...flags }: InitFlags) => {
      const options = s3OptionsFrom(url, flags)
      const { initObjects } = await import('../node/s3/init.ts')
      process.stdout.write(`${await initObjects(options, origin)}\n`)
      done(exit.ok)
    })
  return new Command('objects').description('Prepare a bucket for the files of mocks.').addCommand(init)
}

interface InitFlags extends StoreFlags {
  readonly origin?: string[]
}

/** The flags for the store of a bucket. */
export interface StoreFlags {
  readonly objectsEndpoint?: string
  readonly objectsAddressing?: 'path' | 'host'
  readonly objectsCredentials?: string
}

/** Adds the options for a store, besides its address. */
export function addStoreOptions(command: Command): Command {
  const what = 'put the bucket into the path or the host of addresses (default: host for Amazon S3, else path)'
  return command
    .addOption(new Option('--objects-addressing <place>', what).choices(['path', 'host']))
    .option(
      '--objects-credentials <command>',
      "command that prints credentials, such as 'aws configure export-credentials'; it runs again before they expire",
    )
}

/** Returns the store that flags and environment describe. Throws a `UsageError`. */
export function s3OptionsFrom(
  url: string,
  { objectsEndpoint, objectsAddressing, objectsCredentials }: StoreFlags,
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
  const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = parsed(printed.stdout)
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

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(text)
    return isObject(json) ? { ...json } : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
