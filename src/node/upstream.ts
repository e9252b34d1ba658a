import { joinParts } from '../contract/bytes.ts'
import { isObject } from '../contract/json.ts'
import { type OperationId, operations, type ServiceOperationId } from '../contract/operations.ts'
import { schemas } from '../contract/schemas.gen.ts'
import type { PassOn } from '../http/handle-request.ts'
import { StorageError } from '../http/storage/storage-error.ts'
import type { Profile } from '../profile/profile.ts'
import { SecretRedactor } from '../session/redact.ts'
import { readChunks } from '../wire/body.ts'
import type { Context, Endpoint, Incoming, Outgoing } from '../wire/exchange.ts'
import { Problem } from '../wire/problem.ts'
import { pathWith } from '../wire/router.ts'
import { jsonInBody, mostBytes, mostMs, passOn, type Sending } from './upstream-sending.ts'
import { carryFile, IssuedAddresses, uploadPrefix } from './upstream-uploads.ts'

/** Options for passing calls on to a deployment. */
export interface UpstreamOptions {
  /** The base address of the deployment, without a trailing slash. */
  readonly url: string
  /** The key of the deployment. No caller of the mock sees it, and the mock's keys are never sent. */
  readonly apiKey: string
  /** Sends a request, and checks where its connection goes. */
  readonly fetch: (request: Request) => Promise<Response>
  /** The calls and tenants that are passed on. @default only calls with the header `X-Countersign-Upstream` */
  readonly calls?: readonly ServiceOperationId[]
  readonly tenants?: readonly string[]
}

/** The header of a call that is passed on. */
const passHeader = 'x-countersign-upstream'
const loopback = /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/**
 * Passes selected calls on to a deployment, and says in the log in what their answers differ from the profile or, without one, from the
 * contract. Files go through the mock to the addresses that the deployment has issued. Other calls are left to the mock.
 */
export function passOnTo(upstream: UpstreamOptions, like?: Profile): PassOn {
  const issued = new IssuedAddresses()
  const { apiKey, fetch, url } = upstream
  const sending: Sending = { fetch, redactor: new SecretRedactor([apiKey], { host: new URL(url).hostname }) }
  const passCall = async (context: Context, id: ServiceOperationId, address: URL) => {
    const answer = withDifference(id, await pass(context.request, address, apiKey, sending), like)
    return id === 'requestUpload' ? issued.replaceIn(answer, context, like) : answer
  }
  const passFile = async ({ request }: Context) => {
    const address = issued.find(request)
    if (!address) throw notIssued
    const answer = withDifference('putObject', await carryFile(request, address, sending), like)
    if (request.header('authorization') === undefined || answer.refusal?.code !== 'upstream') return answer
    const detail = `${answer.refusal.detail} Its Authorization header was left out: storage such as S3 refuses files with one.`
    return { ...answer, refusal: { code: 'upstream', detail } }
  }
  const file: Endpoint = {
    ...{ ...operations.putObject, id: 'putObject', part: 'storage', path: uploadPrefix },
    match: (path) => (path.startsWith(uploadPrefix) ? {} : undefined),
    tenantOf(request) {
      if (!isFromHere(request)) throw notFromHere
      return issued.find(request)?.tenantId ?? ''
    },
    validate() {
      throw notIssued
    },
  }
  return {
    routes: [file],
    answer(context) {
      const { request, route } = context
      if (!route || !isFromHere(request)) return undefined
      if (route === file) return passFile(context)
      const address = addressOf(context, url)
      return address && isSelected(context, upstream)
        ? passCall(context, route.id as ServiceOperationId, address)
        : undefined
    },
  }
}

const notFromHere = new StorageError(
  'AccessDenied',
  'Files are passed on only from this machine. Send them from a program or a page here.',
)
const notIssued = new StorageError(
  'AccessDenied',
  'The deployment has not issued this address through the mock in the last 24 hours. Use upload_url unchanged, or request a new one.',
)

/** Returns an answer of the deployment with what is to be said of it in the log. */
function withDifference(operation: OperationId, answer: Outgoing, like?: Profile): Outgoing {
  const detail = differenceIn(operation, answer, like) ?? 'The answer has the expected shape.'
  return { refusal: { code: 'upstream', detail }, ...answer }
}

/**
 * Returns the address of a documented call at a deployment. It is built from what the request means: its path as sent could lead
 * anywhere. Undefined for any other call, and for a parameter that is `.` or `..`, which no address can have.
 */
function addressOf({ request, route, params }: Context, base: string): URL | undefined {
  if (!route || route.part === 'storage' || !Object.hasOwn(operations, route.id)) return undefined
  if (Object.values(params).some((value) => /^\.\.?$/.test(value))) return undefined
  const url = new URL(base + pathWith(route.path, (name) => params[name] ?? ''))
  url.search = request.search
  return url
}

/** Returns false for a page elsewhere, or a name that was rebound to this machine: it must not reach the deployment through the mock. */
function isFromHere(incoming: Incoming): boolean {
  const origin = incoming.header('origin')
  return loopback.test(incoming.origin) && (origin === undefined || loopback.test(origin))
}

function isSelected(
  { request, route, tenantId = '' }: Context,
  { calls = [], tenants = [] }: UpstreamOptions,
): boolean {
  return (
    request.header(passHeader) !== undefined ||
    calls.some((id) => id === route?.id) ||
    tenants.some((tenant) => tenantId === tenant || (tenant.length >= 6 && tenantId.startsWith(tenant)))
  )
}

/** Request headers that are passed on. */
const passedOn = /^(accept|accept-language|content-type|if-(none-)?match|prefer|idempotency-key)$/

async function pass(incoming: Incoming, url: URL, apiKey: string, sending: Sending): Promise<Outgoing> {
  const parts: Uint8Array[] = []
  // A chunk's memory may be reused.
  const size = await readChunks(incoming, mostBytes, (part) => parts.push(new Uint8Array(part)))
  if (size > mostBytes)
    throw new Problem('body-too-large', `The body is larger than ${mostBytes} bytes. Send a shorter one.`)
  const own = incoming.headers().filter(([name]) => passedOn.test(name.toLowerCase()))
  const init = {
    method: incoming.method,
    headers: [...own, ['Authorization', apiKey]] as [string, string][],
    ...(size > 0 && { body: joinParts(parts) }),
    signal: AbortSignal.timeout(mostMs),
  }
  return passOn(url, init, sending, {
    who: 'The deployment behind the mock',
    refuse: (detail) => new Problem('internal-error', detail).toOutgoing(),
  })
}

/** The successful answers of the contract. */
const answers = {
  createWorkflow: { status: 201, schema: 'Workflow' },
  getWorkflow: { status: 200, schema: 'WorkflowDetails' },
  executeWorkflow: { status: 202, schema: 'Execution' },
  requestUpload: { status: 200, schema: 'Upload' },
  confirmUpload: { status: 200, schema: 'Document' },
  putObject: { status: 200, schema: undefined },
} as const

/** The most places that a line names. */
const mostPlaces = 5

/** Returns in what a successful answer differs from the profile or, without one, from the contract; undefined if in nothing. */
function differenceIn(operation: OperationId, { status, body = '' }: Outgoing, like?: Profile): string | undefined {
  if (status >= 400) return `The deployment refused it with ${status}.`
  const template = like?.answers?.[operation] as { readonly status?: number; readonly body?: unknown } | undefined
  const expected = answers[operation]
  const value = jsonInBody(body)
  const found = template
    ? missingOf(template.body, value)
    : expected.schema
      ? flawsOf(schemas[expected.schema], value)
      : body.length > 0
        ? ['the body is not empty']
        : []
  const wanted = template ? template.status : expected.status
  if (wanted !== undefined && status !== wanted) found.unshift(`the status is ${status}, and not ${wanted}`)
  if (found.length === 0) return undefined
  const more = found.length > mostPlaces ? `, and ${found.length - mostPlaces} more` : ''
  return `It differs from the ${template ? 'profile' : 'contract'}: ${found.slice(0, mostPlaces).join(', ')}${more}.`
}

/** Returns the members of a template that an answer lacks. Parts that depend on the call are not looked into. */
function missingOf(template: unknown, value: unknown, at = ''): string[] {
  if (!isObject(template) || Object.keys(template).some((name) => name.startsWith('$'))) return []
  if (!isObject(value)) return [`${at || 'the body'} is no object`]
  return Object.entries(template).flatMap(([name, part]) =>
    Object.hasOwn(value, name) ? missingOf(part, value[name], `${at}/${name}`) : [`${at}/${name} is missing`],
  )
}

/** The parts of a schema that are looked at. */
interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

/** Returns the members that a schema requires and a value lacks, and those of another type. */
function flawsOf(given: Schema = {}, value: unknown, at = ''): string[] {
  const schema = given.$ref === undefined ? given : (schemas[given.$ref.split('/').at(-1) ?? ''] as Schema | undefined)
  if (!schema) return []
  const types = schema.type === undefined ? [] : [schema.type].flat()
  if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    return [`${at || 'the body'} is no ${types.join(' or ')}`]
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((item) => flawsOf(schema.items, item, `${at}/*`))
  if (!isObject(value)) return []
  const missing = (schema.required ?? []).filter((name) => !Object.hasOwn(value, name))
  return [
    ...missing.map((name) => `${at}/${name} is missing`),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) =>
      Object.hasOwn(value, name) ? flawsOf(part, value[name], `${at}/${name}`) : [],
    ),
  ]
}

function isOfType(value: unknown, type: string): boolean {
  const own = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  return type === 'integer' ? Number.isInteger(value) : type === own
}
