/** The commands, and the options that they take. Help texts, parsing and the types of flags follow from these tables. */
import { reportKinds, sessionReportKinds } from '../conformance/report/kinds.ts'
import { scenarioNames } from '../mocks/scenarios/names.ts'
import { approverModes } from '../src/world/approvers.ts'
import { logFormats } from './request-lines.ts'
import * as values from './values.ts'

/** An option. */
export interface OptionRow {
  /** The flag and its value, such as `--port <n>`; `<ids...>` are several values. */
  readonly flags: string
  readonly help: string
  /** Parses the value, or throws an `InvalidArgumentError`. @default it stays a text */
  readonly parse?: (text: string) => unknown
  readonly choices?: readonly string[]
  readonly default?: unknown
  /** The default, as the help shows it. @default its JSON */
  readonly shown?: string | undefined
  /** The variable that sets the option if the command line does not. */
  readonly env?: string
  /** The option that excludes this one. */
  readonly conflicts?: string
}

/** Every option once. Commands change what differs for them. */
export const optionRows = {
  port: {
    flags: '--port <n>',
    help: 'port to listen on; 0 takes any free one',
    parse: values.port,
    default: 4010,
    env: 'COUNTERSIGN_PORT',
  },
  host: { flags: '--host <host>', help: 'address to listen on', parse: values.host, default: '127.0.0.1' },
  storagePort: {
    flags: '--storage-port <n>',
    help: 'serve uploads on a separate port, and so a separate origin',
    parse: values.port,
  },
  basePath: {
    flags: '--base-path <path>',
    help: 'answer below this path, such as /team, instead of at the root',
    parse: values.basePath,
  },
  publicBaseUrl: {
    flags: '--public-base-url <url>',
    help: 'URL at which clients reach the mock, if different; Location and upload URLs start with it',
    parse: values.httpUrl,
  },
  seed: {
    flags: '--seed <seed>',
    help: 'repeat identifiers and the secret that signs upload URLs; without it, identifiers use seed 1 and the secret is random',
  },
  approvers: {
    flags: '--approvers <mode>',
    help: 'let simulated approvers decide at their own pace or that of --like (auto), at once (instant) or not at all (manual) (default: auto, or as with --like)',
    choices: approverModes,
  },
  like: {
    flags: '--like <file>',
    help: 'answer like the deployment of a profile that countersign learn has written',
  },
  clockSpeed: {
    flags: '--clock-speed <n>',
    help: 'run the clock at this multiple of real time; 0 stops it',
    parse: values.speed,
    default: 1,
  },
  scenario: {
    flags: '--scenario <name>',
    help: 'load this scenario into every new world',
    choices: scenarioNames,
    default: 'empty',
  },
  journal: {
    flags: '--journal <file|url>',
    help: 'keep state, time and signing secret in a file and objects in a folder beside it, and restore them at the start; or share them with other mocks through PostgreSQL: postgres://user@host/database',
  },
  journalRepair: {
    flags: '--journal-repair',
    help: 'keep the part of a damaged journal before the damage, and move the rest to a file beside it',
  },
  objects: {
    flags: '--objects <dir|url>',
    help: 'keep uploaded files in this folder instead of memory; or let an S3 store take them: s3://bucket, with credentials from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and the mock never sees the bytes',
  },
  objectsEndpoint: {
    flags: '--objects-endpoint <url>',
    help: 'address of that store (default: Amazon S3 in the region of AWS_REGION)',
    parse: values.httpUrl,
  },
  objectsAddressing: {
    flags: '--objects-addressing <place>',
    help: 'put the bucket into the path or the host of addresses (default: host for Amazon S3, else path)',
    choices: ['path', 'host'],
  },
  objectsCredentials: {
    flags: '--objects-credentials <command>',
    help: "command that prints credentials, such as 'aws configure export-credentials'; it runs again before they expire",
  },
  origin: {
    flags: '--origin <origins...>',
    help: 'origins of the pages, such as https://app.example (default: all)',
  },
  latency: {
    flags: '--latency <ms>',
    help: 'delay every answer by real milliseconds: 200, 100..800, or p50=80,p99=900 (log-normal)',
    parse: values.latency,
  },
  rateLimit: {
    flags: '--rate-limit <rate>',
    help: 'limit the requests per second (default: 5/s, unlimited on loopback)',
    parse: values.perSecond,
  },
  admin: { flags: '--no-admin', help: 'turn off the admin API', default: true },
  adminToken: {
    flags: '--admin-token <token>',
    help: 'require this token for the admin API; needed unless --host is loopback',
    env: 'COUNTERSIGN_ADMIN_TOKEN',
  },
  uploadSpeed: {
    flags: '--upload-speed <speed>',
    help: 'read files no faster than this, such as 200kB/s',
    parse: values.bytesPerSecond,
  },
  maxUploadSize: {
    flags: '--max-upload-size <size>',
    help: 'limit the size of a file',
    parse: values.size,
    default: values.size('100MiB'),
    shown: '100MiB',
  },
  maxStoredBytes: {
    flags: '--max-stored-bytes <size>',
    help: 'limit the file contents in memory; other files keep size and checksum only',
    parse: values.size,
    default: values.size('64MiB'),
    shown: '64MiB',
  },
  maxExecutions: {
    flags: '--max-executions <n>',
    help: 'limit the ended executions kept per workflow; analytics count all',
    parse: values.executionCount,
    default: 10_000,
  },
  maxMemory: {
    flags: '--max-memory <size>',
    help: 'limit the memory for workflows, executions, uploads and keys; beyond it, creating answers 507 (default: half of the heap)',
    parse: values.size,
  },
  record: {
    flags: '--record <file>',
    help: 'record all calls as HAR, without keys; countersign replay sends them to any deployment',
  },
  upstream: {
    flags: '--upstream <url>',
    help: 'pass calls with the header X-Countersign-Upstream on to this deployment, with COUNTERSIGN_API_KEY; the log says in what answers differ',
    parse: values.httpUrl,
  },
  upstreamCalls: {
    flags: '--upstream-calls <calls>',
    help: 'pass these calls on too, such as getWorkflow,executeWorkflow',
    parse: values.listed,
  },
  upstreamTenants: {
    flags: '--upstream-tenants <ids>',
    help: 'pass the calls of these tenants on too, by the ids in the log',
    parse: values.listed,
  },
  cors: { flags: '--cors', help: 'answer pages on other origins (default: on, or as with --like)' },
  noCors: { flags: '--no-cors', help: 'refuse pages on other origins' },
  corsCredentials: {
    flags: '--cors-credentials',
    help: 'let pages on other origins send credentials (default: off, or as with --like)',
  },
  keys: {
    flags: '--keys <a,b>',
    help: 'accept only these API keys (default: every key that looks like a test key)',
    parse: values.testKeys,
  },
  quiet: { flags: '--quiet', help: 'print no line for each request' },
  log: {
    flags: '--log <format>',
    help: 'print one line for each request, never with its key: text, or json with one object a line (default: text; none with --json or a command)',
    choices: logFormats,
    conflicts: 'quiet',
  },
  json: { flags: '--json', help: 'print one machine-readable line when ready' },
  url: {
    flags: '--url <url>',
    help: 'base URL of the deployment; set its key in COUNTERSIGN_API_KEY',
    parse: values.httpUrl,
  },
  header: {
    flags: '--header <header...>',
    help: "send 'Name: value' with each call of the service; 'Name: env:VARIABLE' reads the value from a variable",
  },
  profile: { flags: '--profile <file>', help: 'JSON file that locates what cannot be found in the answers' },
  only: { flags: '--only <ids...>', help: 'run only these checks' },
  skip: { flags: '--skip <ids...>', help: 'do not run these checks' },
  requireVerified: {
    flags: '--require-verified <ids...>',
    help: 'end undecided unless these checks are verified, not just accepted; or all',
  },
  level: {
    flags: '--level <level>',
    help: 'run documented checks only, add inherited ones, or add open questions too',
    choices: ['documented', 'inherited', 'assumed'],
    default: 'assumed',
  },
  report: {
    flags: '--report <kinds>',
    help: `write these reports: ${sessionReportKinds.join(',')}`,
    parse: values.sessionReports,
    default: [],
    shown: 'none',
  },
  reportDir: { flags: '--report-dir <dir>', help: 'folder for the reports' },
  baseline: {
    flags: '--baseline <file>',
    help: 'known failures, which do not fail the run; an entry that passes or has expired does',
  },
  reads: {
    flags: '--reads <files...>',
    help: 'what a front end reads (recordReads, trackReads); the run fails if a place is missing',
  },
  verbose: { flags: '--verbose', help: 'print where each value was found in the answers, and why' },
  requestTimeout: {
    flags: '--request-timeout <time>',
    help: 'wait this long for each answer, in seconds or such as 500ms',
    parse: values.seconds,
    default: 10,
  },
  settle: {
    flags: '--settle <time>',
    help: 'wait this long for the effects of a call to show (default: 10s)',
    parse: values.seconds,
  },
  cacert: { flags: '--cacert <file>', help: 'trust the certificate authorities in this PEM file too' },
  cert: { flags: '--cert <file>', help: 'show the server this client certificate (PEM), if it wants one' },
  key: {
    flags: '--key <file>',
    help: 'key of that certificate (default: in the same file), see COUNTERSIGN_KEY_PASSPHRASE',
  },
  insecure: { flags: '--insecure', help: 'skip the check of certificates' },
  allowLiveKey: { flags: '--allow-live-key', help: 'accept a key without a test-mode prefix' },
  dryRun: { flags: '--dry-run', help: 'print the checks, and send nothing' },
  from: {
    flags: '--from <file>',
    help: 'HAR file to learn from; alone, or with --url in addition to the deployment',
  },
  review: {
    flags: '--review',
    help: 'go through what was found in the folder of --out, and confirm or correct it; after learning, if there is a --url',
    conflicts: 'check',
  },
  check: {
    flags: '--check <file>',
    help: 'say whether the deployment still answers as this profile does, in place of learning it',
    conflicts: 'from',
  },
  out: { flags: '--out <dir>', help: 'folder for the files' },
  recordedUrl: {
    flags: '--recorded-url <url>',
    help: 'base URL of the service in the recording, if it has several',
    parse: values.httpUrl,
  },
  session: { flags: '--session <file>', help: 'HAR file to send to both sides in place of the suite' },
  explore: {
    flags: '--explore <n>',
    help: 'draw sessions, send at most n requests to both, and shorten the first difference',
    parse: values.requestCount,
  },
  yes: { flags: '--yes', help: 'explore deployments on other machines too' },
  serverUrl: {
    flags: '--server-url <url>',
    help: 'URL of your service, for the reference, the curl samples and the page that sends calls',
    parse: values.serverUrl,
  },
  title: { flags: '--title <text>', help: 'name to show on every page', parse: values.title },
  logo: { flags: '--logo <file>', help: 'SVG, PNG or JPEG of up to 500 kB to show on every page' },
} as const satisfies Readonly<Record<string, OptionRow>>

type Options = typeof optionRows

/** A command. A group of subcommands takes no options itself. */
export interface CommandRow {
  readonly about: string
  /** The arguments, each with its help. */
  readonly args?: Readonly<Record<string, string>>
  /** The options, in the order of the help. */
  readonly takes?: readonly (keyof Options)[]
  /** What differs for this command from the table of options. */
  readonly changes?: { readonly [Name in keyof Options]?: Partial<OptionRow> }
  /** What the help says at its end. */
  readonly end?: string
}

const connection = ['cacert', 'cert', 'key', 'insecure'] as const
const calls = ['requestTimeout', 'settle', 'rateLimit', ...connection, 'allowLiveKey'] as const

const tenant = {
  takes: [...connection, 'url', 'adminToken'],
  changes: {
    url: { help: 'URL of the mock', default: 'http://127.0.0.1:4010' },
    adminToken: { help: 'admin token that the mock was started with' },
  },
  end: `
A tenant is everything that the mock has of one API key. Set that key in COUNTERSIGN_API_KEY. The file has all events and the
contents of the objects in memory, but neither the key nor a signing secret. What is imported belongs to the key that imports it,
which must not have any events yet.

Environment: COUNTERSIGN_API_KEY, COUNTERSIGN_ADMIN_TOKEN.
Exit codes: 0 done, 3 bad usage or a refused file, 4 the mock cannot be reached.`,
} as const

/** Every command by its words, in the order of the help. */
export const commands = {
  mock: {
    about: 'Start the mock. With a command after --, run it while the mock is up, stop, and exit with its code.',
    args: { '[command...]': 'command to run, after --; COUNTERSIGN_URL holds the URL of the mock' },
    takes: [
      ...(['port', 'host', 'storagePort', 'basePath', 'publicBaseUrl', 'seed', 'approvers', 'like'] as const),
      ...(['clockSpeed', 'scenario', 'journal', 'journalRepair', 'objects', 'objectsEndpoint', 'latency'] as const),
      ...(['rateLimit', 'admin', 'adminToken', 'uploadSpeed', 'maxUploadSize', 'maxStoredBytes'] as const),
      ...(['maxExecutions', 'maxMemory', 'record', 'upstream', 'upstreamCalls', 'upstreamTenants', 'cors'] as const),
      ...(['noCors', 'corsCredentials', 'keys', 'quiet', 'log', 'json', 'objectsAddressing'] as const),
      ...(['objectsCredentials', ...connection] as const),
    ],
    changes: {
      rateLimit: {
        help: 'limit the calls per second of each key; beyond it, they answer 429 with Retry-After (default: no limit)',
      },
      insecure: { help: 'skip the check of certificates of --upstream' },
    },
    end: `
Protections that a flag changes: the mock listens on this machine only (--host). The admin API is open to every program on
this machine; on other addresses it is off unless it has a token (--admin-token). Limits are 100 MiB per file
(--max-upload-size), 64 MiB of file contents in memory (--max-stored-bytes; --objects DIR has no limit), 10,000 ended executions per workflow (--max-executions),
and half of Node's heap for everything created (--max-memory). Pages on other origins may call the service and storage
(--no-cors), with credentials only if told to (--cors-credentials), but never the admin API. Every key that looks like a test
key is accepted (--keys). If the signing secret comes from --seed, anyone who knows the seed can forge upload URLs.

Environment: COUNTERSIGN_PORT, COUNTERSIGN_ADMIN_TOKEN. Other users of this machine can read a token on the command line.`,
  },
  conformance: {
    about: 'Check a deployment against the documented interface. Without --url, check the built-in reference.',
    takes: [
      ...(['url', 'header', 'profile', 'only', 'skip', 'requireVerified', 'level', 'report', 'reportDir'] as const),
      ...(['baseline', 'reads', 'verbose', ...calls, 'dryRun'] as const),
    ],
    changes: {
      profile: { help: 'JSON file that locates what the suite cannot find in the answers' },
      report: {
        help: `write these reports: ${reportKinds.join(',')}`,
        parse: values.reports,
        default: ['json'],
        shown: undefined,
      },
      reportDir: { default: 'conformance-report' },
      insecure: { help: 'skip the check of certificates; every report says so' },
    },
    end: `
Environment: COUNTERSIGN_URL, COUNTERSIGN_API_KEY, COUNTERSIGN_API_KEY_2 (of another tenant),
COUNTERSIGN_KEY_PASSPHRASE (of --key), HTTPS_PROXY, HTTP_PROXY, NO_PROXY (this machine is always
reached directly), NO_COLOR, GITHUB_ACTIONS, GITHUB_STEP_SUMMARY. No flag takes a secret, since
other users of this machine can read the command line.

Protections that a flag changes: a key without a test-mode prefix is refused (--allow-live-key). A deployment on another
machine gets at most 5 requests per second (--rate-limit). Each answer may take 10 seconds (--request-timeout).

With --reads, a section of its own tells which places that the front end reads are given, missing, or not shown by any answer.
It changes no verdict on the document, but the run ends with 1 if a place is missing, and with 2 if no place could be decided.

Exit codes: 0 conforming, 1 not conforming, 2 undecided (also after --dry-run, and if --only, --skip or --level excludes
documented checks), 3 bad usage or configuration, 4 could not run. A run ends after 120 seconds. If it is still busy 10
seconds later, it is stopped with exit code 4, and its results so far are reported. SIGINT and SIGTERM end a run early, with its
reports.`,
  },
  judge: {
    about: 'Judge recorded runs again from their report.json, without a network.',
    args: { '<reports...>': 'report.json files, or folders that contain one' },
    takes: ['verbose'],
    end: `
Judges the recorded requests and answers of each report again. A folder means the report.json in it.

Exit codes: those of conformance; of several reports, the worst. A report that cannot be read or judged, or whose profile is
wrong, ends with 3, after the others were judged.`,
  },
  learn: {
    about: 'Learn how a deployment answers, so that the mock can answer like it.',
    takes: ['url', 'from', 'out', 'review', 'check', 'header', 'profile', 'verbose', ...calls],
    changes: {
      out: { default: 'countersign-profile' },
      verbose: { help: 'print each place where the mock answers differently' },
    },
    end: `
Writes profile.json (how the deployment answers each call, and what it refuses), overlay.yaml and openapi.yaml (the contract as
the deployment answers it), and session.har (what was sent and answered). Use them with

  countersign mock --like profile.json            a mock that answers like the deployment
  countersign docs --like profile.json            the reference with the deployment's answers
  countersign conformance --profile profile.json  the suite, which then need not search

With --review, each locator, each guess and each rule is shown beside two answers. What is kept or corrected is settled: learning
again with --profile profile.json never guesses it. With --check profile.json, a session of about 100 requests is compared with what the
profile says, for CI: it ends with 0 if the deployment still answers so, 1 if not, and 2 if that could not be told.

With --from, it learns from a recording: of a browser, a proxy, Playwright, or session.har. Without --url nothing is sent then.

Environment and protections are those of conformance: COUNTERSIGN_URL, COUNTERSIGN_API_KEY, a test-mode key
(--allow-live-key), at most 5 requests per second on other machines (--rate-limit). It sends about 400 requests, and creates
workflows, executions and documents that the API cannot delete. No key is in the files that it writes.

Exit codes: 0 learned, 2 learned in part (a call never
succeeded, or fewer than 95 % of the calls got a usable answer or of the places agree), 3 bad usage or configuration, 4 could not run.`,
  },
  replay: {
    about: 'Send a recorded session to a deployment, and compare what becomes of each call.',
    args: { '<file>': 'HAR file with the session' },
    takes: ['url', 'recordedUrl', 'header', 'profile', 'report', 'reportDir', ...calls],
    changes: { reportDir: { default: 'replay-report' } },
    end: `
Sends the calls of a HAR file one after the other: of mock --record, a browser, a proxy, or Playwright. Identifiers, upload
addresses and keys of the recording are replaced by those of the deployment. Calls to other origins are left out.

A call has the same outcome if it is accepted or refused as it was; formats and statuses of refusals are not documented.
Without --url, the session is sent to the built-in reference. Environment and protections are those of conformance.

Exit codes: 0 same outcomes, 1 another outcome, 2 undecided, since calls could not be sent, 3 bad usage, configuration or file,
4 could not run.`,
  },
  compare: {
    about: 'Compare two deployments, or one with its past.',
    args: { '<a>': 'URL, profile, report, HAR file, or reference', '<b>': 'the same' },
    takes: ['session', 'reads', 'explore', 'seed', 'yes', 'header', 'report', 'reportDir', ...calls],
    changes: {
      reads: { help: 'what a front end reads (recordReads, trackReads); such differences come first' },
      seed: { flags: '--seed <n>', help: 'repeat the sessions of an exploration', parse: values.seed },
      reportDir: { default: 'compare-report' },
    },
    end: `
Each side is a URL, a profile that countersign learn has written (answered by the mock), a report.json of conformance, a HAR
file, or the word reference. Without a session, both sides run the suite, and what it finds is compared: requirements and open
questions first, then statuses, headers and shapes. With --session or a HAR file, that session is sent to both.

A live side runs everything twice: what differs between its own runs is noise, and no difference. A difference counts if a third
run shows it too.

With --explore, sessions are drawn: documented calls in any order, also wrong ones. The first that one side accepts and the other
refuses, or in which values differ that were the same before, is shortened, printed as curl commands, and written to
explored.har in the report folder. It leaves many things behind, so deployments on other machines need --yes.

Environment: COUNTERSIGN_API_KEY for A, COUNTERSIGN_API_KEY_B for B (on the same host, without it that of A); with _2 at the end,
keys of a second tenant of each, to compare what one tenant sees of the other. Protections are those of conformance.

Exit codes: 0 no difference, 1 differences, 2 undecided, 3 bad usage, configuration or file, 4 could not run.`,
  },
  reads: {
    about: 'Print what a front end reads of the answers: documented, assumed or unknown.',
    args: { '<files...>': 'reads.json, or folders of such files' },
    takes: ['profile', 'json'],
    changes: {
      profile: { help: 'the profile whose answers the front end reads (mock --like)' },
      json: { help: 'print JSON' },
    },
    end: `
Files come from recordReads in Vitest, or from trackReads in a page; a folder stands for all its JSON files. Each place is
documented (the interface document promises it), assumed (our answer to an open question, whose id follows) or unknown (the
contract does not have it).

A place marked 'all' was copied or listed as a whole, by a spread or JSON.stringify for example, so it is not known which of its
members are needed. 'names' stands for a list of the members' names, 'asked' for a question such as in, 'absent' for a member
that was not there. An answer 'read as text' was not parsed as JSON after, so what of it is used is unknown.

Exit codes: 0 printed, 2 the files have no place, 3 bad usage or file.`,
  },
  docs: {
    about: 'Write the documentation as pages that need no network. A running mock serves them at /docs.',
    takes: ['out', 'serverUrl', 'title', 'logo', 'like'],
    changes: {
      out: {
        help: 'folder to write to; created if it does not exist; pages of the same name are replaced',
        default: 'docs-site',
      },
      like: { help: 'show the answers of the deployment of a profile that countersign learn has written' },
    },
  },
  health: {
    about: 'Exit with 0 if a mock answers on this machine, and with 4 if not. For the health check of a container.',
    takes: ['port'],
    changes: { port: { help: 'port that the mock listens on' } },
  },
  journal: { about: 'Prepare a database to keep the state of mocks.' },
  'journal init': {
    about: 'Create the tables of a journal in PostgreSQL, or bring them to this version.',
    args: { '<url>': 'address of the database, such as postgres://user@host:5432/database' },
    takes: [],
    end: `
The user of this command must be able to create a schema in the database. A mock needs less: USAGE on the schema countersign, and
SELECT, INSERT, UPDATE and DELETE on its tables. A password in the address is visible to other users of this machine; PGPASSWORD
and ~/.pgpass are not.

Exit codes: 0 done, 3 bad usage, 4 the database cannot be reached or refuses.`,
  },
  objects: { about: 'Prepare a bucket for the files of mocks.' },
  'objects init': {
    about: 'Let pages send files to a bucket: write a CORS rule, and keep the rules of others.',
    args: { '<url>': 'the bucket, such as s3://uploads' },
    takes: ['objectsAddressing', 'objectsCredentials', 'objectsEndpoint', 'origin'],
    changes: { objectsEndpoint: { help: 'address of the store (default: Amazon S3 in the region)' } },
    end: `
The store must be reachable for browsers too: upload URLs lead to it. Credentials come from
AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN) or --objects-credentials, the
region from AWS_REGION or AWS_DEFAULT_REGION. This command needs s3:GetBucketCORS and
s3:PutBucketCORS; a mock needs s3:ListBucket for the bucket, and s3:GetObject and s3:PutObject for
its objects.

Exit codes: 0 done, 3 bad usage, 4 the store cannot be reached or refuses.`,
  },
  tenant: { about: 'Export or import what a running mock has of an API key.' },
  'tenant export': {
    about: 'Write a tenant of a running mock to a file.',
    args: { '[file]': 'file to write (default: standard output)' },
    ...tenant,
  },
  'tenant import': {
    about: 'Import a tenant from a file into a running mock.',
    args: { '[file]': 'file to read (default: standard input)' },
    ...tenant,
  },
  mcp: {
    about:
      'Let an agent use the mock and the suite: a server of the Model Context Protocol on standard input and output.',
    takes: connection,
    end: `
Add it to the configuration of an agent as the command 'npx' with the arguments 'countersign mcp'. docs/agents.md lists the tools.

Environment: as for conformance. The key of a deployment comes from COUNTERSIGN_API_KEY, and no answer contains it.`,
  },
} as const satisfies Readonly<Record<string, CommandRow>>

type Commands = typeof commands

/** A command that can be run. */
export type CommandName = {
  [Name in keyof Commands]: Commands[Name] extends { takes: unknown } ? Name : never
}[keyof Commands]

type ValueOf<Row> = Row extends { parse: (text: string) => infer Value }
  ? Value
  : Row extends { choices: readonly (infer Choice)[] }
    ? Choice
    : Row extends { flags: `${string}...>` }
      ? readonly string[]
      : Row extends { flags: `${string}<${string}` }
        ? string
        : boolean

/** The rows of a command's options, as the command changes them. */
type RowsOf<Command> = Command extends { takes: readonly (infer Name extends keyof Options)[] }
  ? {
      readonly [One in Exclude<Name, 'noCors'>]: Command extends { changes: Record<One, infer Changed> }
        ? Omit<Options[One], keyof Changed> & Changed
        : Options[One]
    }
  : never

type FlagsOf<Rows> = {
  readonly [Name in keyof Rows as Rows[Name] extends { default: unknown } ? Name : never]: ValueOf<Rows[Name]>
} & {
  readonly [Name in keyof Rows as Rows[Name] extends { default: unknown } ? never : Name]?: ValueOf<Rows[Name]>
}

/** The values of a command's options. */
export type Flags<Name extends CommandName> = FlagsOf<RowsOf<Commands[Name]>>

/** The flags for connections. */
export type ConnectionFlags = FlagsOf<Pick<Options, (typeof connection)[number]>>
