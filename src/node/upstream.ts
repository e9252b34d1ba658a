import { isObject } from '../contract/json.ts'
import { operations, type ServiceOperationId } from '../contract/operations.ts'
import { schemas } from '../contract/schemas.gen.ts'
import type { PassOn } from '../http/app.ts'
import { apiKeyOf } from '../http/wire/auth.ts'
import { type Incoming, Interrupted, type Outgoing } from '../http/wire/exchange.ts'
import { Problem } from '../http/wire/problem.ts'
import type { Profile } from '../profile/profile.ts'

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
/** The largest body of a call, and the largest answer, in bytes. */
const mostBytes = 1024 * 1024
const mostMs = 30_000

/**
 * Returns a function that passes selected calls on to a deployment, and says in the log in what their answers differ from the profile
 * or, without one, from the contract. Other calls are left to the mock.
 */
export function passOnTo(upstream: UpstreamOptions, like?: Profile): PassOn {
  return (incoming, tenantIdOf) => {
    const operation = operationOf(incoming)
    const tenantId = operation && tenantOf(incoming, tenantIdOf)
    if (!operation || tenantId === undefined || !isSelected(incoming, operation, tenantId, upstream)) return undefined
    incoming.tenantId = tenantId
    incoming.operationId = operation
    return pass(incoming, upstream).then((answer) => {
      const detail = differenceIn(operation, answer, like) ?? 'The answer has the expected shape.'
      return { refusal: { code: 'upstream', detail }, ...answer }
    })
  }
}

/** The documented calls by their methods and paths. Uploads go straight to the address that the deployment gives. */
const patterns = (Object.keys(operations) as (keyof typeof operations)[])
  .filter((id): id is ServiceOperationId => operations[id].needsKey)
  .map((id) => ({
    id,
    method: operations[id].method,
    path: new RegExp(`^${operations[id].path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))

function operationOf({ method, path }: Incoming): ServiceOperationId | undefined {
  return patterns.find((one) => one.method === method && one.path.test(path))?.id
}

/** Returns the tenant of a call; undefined for a call that the mock refuses itself, so that no call without a key uses that of the deployment. */
function tenantOf(incoming: Incoming, tenantIdOf: (key: string) => string): string | undefined {
  // A page elsewhere, or a name that was rebound to this machine, must not reach the deployment through the mock.
  const origin = incoming.header('origin')
  if (!loopback.test(incoming.origin) || (origin !== undefined && !loopback.test(origin))) return undefined
  try {
    return tenantIdOf(apiKeyOf(incoming))
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

function isSelected(
  incoming: Incoming,
  operation: ServiceOperationId,
  tenantId: string,
  { calls = [], tenants = [] }: UpstreamOptions,
): boolean {
  return (
    incoming.header(passHeader) !== undefined ||
    calls.includes(operation) ||
    tenants.some((tenant) => tenantId === tenant || (tenant.length >= 6 && tenantId.startsWith(tenant)))
  )
}

/** Request headers that are passed on, and answer headers that are not. */
const passedOn = /^(accept|accept-language|content-type|if-(none-)?match|prefer|idempotency-key)$/
const ownToConnection =
  /^(connection|keep-alive|transfer-encoding|content-length|content-encoding|set-cookie|access-control-.*|vary|upgrade|trailer|proxy-.*)$/

async function pass(incoming: Incoming, { url, apiKey, fetch }: UpstreamOptions): Promise<Outgoing> {
  try {
    const body = await bodyOf(incoming)
    const own = incoming.headers().filter(([name]) => passedOn.test(name.toLowerCase()))
    const request = new Request(url + incoming.path + incoming.search, {
      method: incoming.method,
      headers: [...own, ['Authorization', apiKey]] as [string, string][],
      ...(body.byteLength > 0 && { body }),
      // A redirect is an answer. Following it could send the key elsewhere.
      redirect: 'manual',
      signal: AbortSignal.timeout(mostMs),
    })
    const response = await fetch(request)
    const answered = [...response.headers].filter(([name]) => !ownToConnection.test(name))
    return { status: response.status, headers: answered, body: await readAtMost(response) }
  } catch (error) {
    if (error instanceof Problem) return error.toOutgoing()
    if (error instanceof Interrupted) return new Problem('invalid-request', error.message).toOutgoing()
    const why =
      error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : String(error)
    const detail = `The deployment behind the mock did not answer: ${why.replaceAll(apiKey, '***key***')}. Look at its address, and whether it runs.`
    return { ...new Problem('internal-error', detail).toOutgoing(), status: 502, refusal: { code: 'upstream', detail } }
  }
}

async function bodyOf(incoming: Incoming): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  await incoming.readBody((part) => {
    size += part.byteLength
    if (size > mostBytes)
      throw new Problem('body-too-large', `The body is larger than ${mostBytes} bytes. Send a shorter one.`)
    parts.push(part.slice())
    return true
  })
  return join(parts, size)
}

async function readAtMost({ body }: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.byteLength
    if (size > mostBytes) throw new TypeError(`the answer is larger than ${mostBytes} bytes`)
    parts.push(part)
  }
  return join(parts, size)
}

function join(parts: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.byteLength
  }
  return bytes
}

/** The successful answers of the contract. */
const answers = {
  createWorkflow: { status: 201, schema: 'Workflow' },
  getWorkflow: { status: 200, schema: 'WorkflowDetails' },
  executeWorkflow: { status: 202, schema: 'Execution' },
  requestUpload: { status: 200, schema: 'Upload' },
  confirmUpload: { status: 200, schema: 'Document' },
} as const

/** The most places that a line names. */
const mostPlaces = 5

/** Returns in what a successful answer differs from the profile or, without one, from the contract; undefined if in nothing. */
function differenceIn(operation: ServiceOperationId, { status, body }: Outgoing, like?: Profile): string | undefined {
  if (status >= 400) return `The deployment refused it with ${status}.`
  const template = like?.answers?.[operation] as { readonly status?: number; readonly body?: unknown } | undefined
  const expected = answers[operation]
  const value = parsed(body)
  const found = template ? missingOf(template.body, value) : flawsOf(schemas[expected.schema], value)
  const wanted = template ? template.status : expected.status
  if (wanted !== undefined && status !== wanted) found.unshift(`the status is ${status}, and not ${wanted}`)
  if (found.length === 0) return undefined
  const more = found.length > mostPlaces ? `, and ${found.length - mostPlaces} more` : ''
  return `It differs from the ${template ? 'profile' : 'contract'}: ${found.slice(0, mostPlaces).join(', ')}${more}.`
}

function parsed(body: Outgoing['body']): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
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
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value) && !Array.isArray(value)
  return type === 'integer' ? Number.isInteger(value) : typeof value === type
}
