import { Command, Option } from 'commander'
import type { S3Options } from '../node/s3/s3-client.ts'
import { exit, UsageError } from './exit.ts'
import { httpUrl } from './options.ts'

const help = `
The store must be reachable for browsers too: upload URLs lead to it. Credentials come from AWS_ACCESS_KEY_ID and
AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN), the region from AWS_REGION or AWS_DEFAULT_REGION. This command needs
s3:GetBucketCORS and s3:PutBucketCORS; a mock needs s3:ListBucket for the bucket, and s3:GetObject and s3:PutObject for its objects.

Exit codes: 0 done, 3 bad usage, 4 the store cannot be reached or refuses.`

/** Creates `countersign objects`, which prepares a bucket for the files of mocks. */
export function objectsCommand(done: (code: number) => void): Command {
  const init = new Command('init')
    .description('Let pages send files to a bucket: write a CORS rule, and keep the rules of others.')
    .argument('<url>', 'the bucket, such as s3://uploads')
    .option('--objects-endpoint <url>', 'address of the store (default: Amazon S3 in the region)', httpUrl)
    .addOption(addressingOption())
    .option('--origin <origins...>', 'origins of the pages, such as https://app.example (default: all)')
    .addHelpText('after', help)
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
}

/** Returns the option that says where addresses have the bucket. */
export function addressingOption(): Option {
  const what = 'put the bucket into the path or the host of addresses (default: host for Amazon S3, else path)'
  return new Option('--objects-addressing <place>', what).choices(['path', 'host'])
}

/** Returns the store that flags and environment describe. Throws a `UsageError`. */
export function s3OptionsFrom(url: string, { objectsEndpoint, objectsAddressing }: StoreFlags): S3Options {
  const bucket = url.match(/^s3:\/\/([^/]+)\/?$/i)?.[1]
  if (bucket === undefined) throw new UsageError('The objects are no bucket. Use s3://bucket, without a path.')
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION, AWS_DEFAULT_REGION } = process.env
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    throw new UsageError('A bucket needs credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.')
  }
  const region = AWS_REGION || AWS_DEFAULT_REGION
  return {
    bucket,
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
    ...(region && { region }),
    ...(objectsEndpoint !== undefined && { endpoint: objectsEndpoint }),
    ...(objectsAddressing && { addressing: objectsAddressing }),
  }
}
