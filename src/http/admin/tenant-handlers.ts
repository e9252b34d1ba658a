import { extendedValue } from '../../contract/header-value.ts'
import { sandbox } from '../../contract/http.ts'
import type { Schemas } from '../../contract/operations.ts'
import { tenantName } from '../../contract/tenant-name.ts'
import { timeTo, written } from '../../contract/written.ts'
import type { Execution } from '../../domain/approval/execution.ts'
import { expiryOf, type Upload } from '../../domain/uploads/upload.ts'
import { requireTestKey } from '../../wire/auth.ts'
import { asDocumented, type DeploymentWays } from '../../wire/deployment.ts'
import { type HeaderList, type Outgoing, WrittenJson } from '../../wire/exchange.ts'
import { readJsonBytes } from '../../wire/json.ts'
import { Problem } from '../../wire/problem.ts'
import type { RecordedEvent } from '../../world/events.ts'
import type { Content } from '../../world/files.ts'
import { PastWorlds } from '../../world/past-worlds.ts'
import { isWork, type Work } from '../../world/slices.ts'
import { TenantFileError } from '../../world/tenant-file-error.ts'
import type { Tenants } from '../../world/tenants.ts'
import type { WorkflowState } from '../../world/workflow-state.ts'
import type { World } from '../../world/world.ts'
import { detailsOf, writtenExecution } from '../service/workflows.ts'
import type { AdminHandlers } from './admin-calls.ts'
import { flawOfRequest } from './imported-requests.ts'
import { type ListOf, pageOf, wholeNumberIn } from './page-of.ts'

/** The tenant of a call, and the query that may name an earlier state of it. */
interface ReadCall {
  readonly tenantId: string
  readonly query: URLSearchParams
}

/** Creates the handlers that show what a tenant has, now and earlier, and that copy it. */
export function tenantHandlers(tenants: Tenants, deployment: DeploymentWays) {
  return { ...readingHandlers(tenants), ...copyingHandlers(tenants, deployment) }
}

/** Returns what answers with the world of a tenant: as it is, or as it was after the event `as_of`. */
function readerOf(tenants: Tenants) {
  const pastWorlds = new PastWorlds(tenants.memory)
  return async <Result>({ tenantId, query }: ReadCall, use: (world: World, live: World) => Work<Result>) => {
    const asOf = wholeNumberIn(query, 'as_of', 0)
    if (asOf === undefined) return ok(await tenants.withWorld(tenantId, (world) => use(world, world)))
    const { live, events } = await tenants.withWorld(tenantId, (world) => ({
      live: world,
      events: eventsOf(world, asOf),
    }))
    const reading = function* (): Work<Result> {
      return yield* use(yield* pastWorlds.at(live, events, asOf), live)
    }
    return ok(await tenants.inSlices(reading()))
  }
}

function readingHandlers(tenants: Tenants) {
  const read = readerOf(tenants)

  /** Answers with a page of a list. */
  const list = <Item>(call: ReadCall, name: string, listed: (world: World, live: World) => ListOf<Item>) =>
    read(call, (world, live) => pageOf(name, call.query, listed(world, live)))

  return {
    listWorkflows: (call) =>
      list<WorkflowState>(call, 'workflows', (world) => ({
        items: world.workflows(),
        placeOf: ({ created }) => ({ at: created.at, id: created.workflowId }),
        write: workflowSummary,
      })),

    readWorkflow: (call) => read(call, (world) => workflowTo(world, call.params.workflow_id)),

    async listExecutions(call) {
      const status = statusIn(call.query)
      const workflowId = call.query.get('workflow_id')
      return list<Execution>(call, 'executions', (world) => ({
        items: world.executions(),
        matches: (execution) =>
          (workflowId ?? execution.workflowId) === execution.workflowId &&
          (status ?? execution.status) === execution.status,
        placeOf: ({ startedAt, executionId }) => ({ at: startedAt, id: executionId }),
        write: (execution) => executionSummary(execution, world),
      }))
    },

    readExecution: (call) => read(call, (world) => executionWithTimes(world, call.params.execution_id)),

    listUploads: (call) =>
      list<Upload>(call, 'uploads', (world, live) => ({
        items: world.uploads(),
        placeOf: ({ requestedAt, sessionId }) => ({ at: requestedAt, id: sessionId }),
        write: (upload) => uploadSummary(upload, world, live),
      })),
  } satisfies Partial<AdminHandlers>
}

const ok = <Body>(body: Body) => ({ status: 200 as const, body })

function copyingHandlers(tenants: Tenants, deployment: DeploymentWays) {
  return {
    async readObject({ tenantId, params }) {
      const { upload, content } = await tenants.withWorld(tenantId, (world) => {
        const upload = world.upload(params.session_id)
        return { upload, content: world.content(upload) }
      })
      if (!content) throw notKept(upload)
      const headers = [...harmless, ['Content-Disposition', attachment(upload)] as const]
      return { status: 200, ...bodyOf(content, headers) }
    },

    async branchTenant({ tenantId, body }) {
      const { pastOf } = await tenantFiles()
      const branch = tenants.idOf(requireTestKey(body.key))
      const past = await tenants.withWorld(tenantId, (world) => {
        eventsOf(world, body.as_of)
        return pastOf(world, body.as_of)
      })
      return { status: 201, body: tenantTo(tenants, await tenants.adopt(branch, past)) }
    },

    async exportTenant({ tenantId }) {
      return { status: 200, body: new WrittenJson(await exportTenant(tenants, tenantId)) }
    },

    async importTenant({ tenantId = '', incoming }) {
      // Only the memory limits the size of a file.
      const file = await readJsonBytes(incoming, Number.POSITIVE_INFINITY, tenants.memory)
      return { status: 201, body: tenantTo(tenants, await importTenant(tenants, tenantId, file, deployment)) }
    },
  } satisfies Partial<AdminHandlers>
}

/** Few mocks ever need these, so they are loaded on demand. */
const tenantFiles = () => import('../../world/tenant-file.ts')

/** Writes a tenant as one file. Throws a problem if the mock no longer keeps all of its events. */
export async function exportTenant(tenants: Tenants, tenantId: string): Promise<string> {
  const { writeTenantFile } = await tenantFiles()
  return tenants.withWorld(tenantId, (world) => {
    requireAllEvents(world)
    return writeTenantFile(world, tenants.mostExportedBytes)
  })
}

/**
 * Opens the world of a tenant from a file. Throws a problem if the file is wrong or has requests that the mock would refuse, or a
 * `DomainError`.
 */
export async function importTenant(
  tenants: Tenants,
  tenantId: string,
  file: Uint8Array,
  deployment: DeploymentWays = asDocumented,
): Promise<World> {
  const { pastInFile } = await tenantFiles()
  const { memory } = tenants
  memory.take(file.byteLength)
  try {
    return await tenants.adopt(tenantId, pastInFile(file, flawOfRequest(deployment)))
  } catch (error) {
    if (!(error instanceof TenantFileError)) throw error
    const { pointer, message } = error
    const detail = `The tenant file ${pointer && `at ${pointer} `}${message}. Import a file that an export has written.`
    throw new Problem('invalid-request', detail, { violations: [{ pointer, rule: 'tenant-file', message }] })
  } finally {
    memory.free(file.byteLength)
  }
}

/** Returns the body of an answer, in pieces that are read as the client takes them. */
function bodyOf({ size, pieces }: Content, headers: HeaderList): Pick<Outgoing, 'headers' | 'stream'> {
  const left = pieces(pieceBytes)[Symbol.iterator]()
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = left.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => void left.return?.(),
  })
  return { headers: [...headers, ['Content-Length', String(size)]], stream }
}

/** The part of a file that is read at a time, in bytes. */
const pieceBytes = 64 * 1024

function notKept({ status, file }: Upload): Problem {
  const advice =
    file === undefined ? 'Start it with a larger limit of stored bytes.' : 'Leave the files in its folder alone.'
  const detail =
    status === 'requested'
      ? 'No file was stored yet. PUT the file to the upload_url first.'
      : `The mock did not keep the bytes. ${advice}`
  return new Problem('object-not-kept', detail)
}

/** No browser displays or executes an answer with these headers. */
const harmless = [...sandbox, ['Content-Type', 'application/octet-stream'], ['Cache-Control', 'no-store']] as const

const states = ['running', 'approved', 'rejected'] as const

function statusIn(query: URLSearchParams): string | null {
  const status = query.get('status')
  if (status === null || states.some((state) => state === status)) return status
  const detail = `There is no status '${status.slice(0, 100)}'. Use one of ${states.join(', ')}.`
  throw new Problem('invalid-parameter', detail)
}

/** Returns all events of a world up to `asOf`. Throws a problem if one of them is not kept, or has not happened yet. */
function eventsOf(world: World, asOf: number): readonly RecordedEvent[] {
  const { journal } = world
  if (asOf > journal.length) {
    const detail = `as_of is ${asOf}, but the last event is ${journal.length}. Send one up to there.`
    throw new Problem('invalid-parameter', detail)
  }
  requireAllEvents(world)
  return journal.read().slice(0, asOf)
}

function requireAllEvents({ journal }: World): void {
  if (journal.firstSeq === 1) return
  throw new Problem(
    'events-dropped',
    `The mock has dropped the events before event ${journal.firstSeq}, so earlier states are lost. Start the mock with a larger limit of executions.`,
  )
}

/** Returns a tenant with the size of its world. */
export function tenantTo(tenants: Tenants, { tenantId, journal, clock, sizes }: World): Schemas['Tenant'] {
  const end = tenants.keyEndOf(tenantId)
  const last = journal.read(1)[0]
  return written('Tenant', sizes, {
    tenantId,
    name: end === undefined ? tenantName(tenantId) : `${tenantName(tenantId)} …${end}`,
    firstEvent: journal.firstSeq,
    lastEvent: journal.length,
    lastEventAt: last?.at,
    now: clock.now(),
    speed: clock.speed,
  })
}

const none = { total: 0, running: 0, approved: 0, rejected: 0 }

function workflowSummary(state: WorkflowState): Schemas['WorkflowSummary'] {
  const { created } = state
  const { definition } = created
  // Analytics of a workflow without executions would only be created to be dropped.
  const metrics = state.isExecuted ? state.analytics.metrics() : none
  const { at: createdAt, workflowId } = created
  const counts = { ...metrics, createdAt, steps: definition.steps.length, executions: metrics.total }
  return written('WorkflowSummary', definition, { workflowId }, counts)
}

/** The most completion times of a workflow in an answer. */
const mostTimes = 2000
const msPerMinute = 60_000

function* workflowTo(world: World, workflowId: string): Work<WrittenJson> {
  const written = detailsOf(world, workflowId)
  const details = isWork(written) ? yield* written : written
  const ended: { readonly at: number; readonly ms: number }[] = []
  for (const { startedAt, completedAt: at } of world.recentExecutions(workflowId, Number.POSITIVE_INFINITY)) {
    if (at !== undefined) ended.push({ at, ms: at - startedAt })
    yield
  }
  const latest = ended.sort((one, other) => one.at - other.at).slice(-mostTimes)
  const minutes = JSON.stringify(latest.map(({ ms }) => ms / msPerMinute))
  return new WrittenJson(`{"details":${details.text},"completion_minutes":${minutes}}`)
}

function executionSummary(execution: Execution, world: World): Schemas['ExecutionSummary'] {
  const steps = execution.stages.flat()
  return written('ExecutionSummary', execution.request, execution, {
    workflowName: world.analytics(execution.workflowId).workflow.name,
    stepsDecided: steps.filter(({ status }) => status !== 'waiting' && status !== 'assigned').length,
    stepsTotal: steps.length,
    waitingFor: steps.flatMap(({ status, assignee }) => (status === 'assigned' && assignee ? [assignee.email] : [])),
  })
}

function* executionWithTimes(world: World, executionId: string) {
  const execution = world.execution(executionId)
  const times = execution.stages.flatMap((steps, stage) =>
    steps.map((step) => {
      const plan = world.planOf(executionId, step)
      const isTakenUp = plan !== undefined && plan.takenUpAt <= world.clock.now()
      const takenUpAt = step.takenUpAt ?? (isTakenUp ? plan.takenUpAt : undefined)
      return {
        step_id: step.step.step_id,
        stage,
        taken_up_at: takenUpAt === undefined ? null : timeTo(takenUpAt),
        due_at: plan ? timeTo(plan.dueAt) : null,
      }
    }),
  )
  return { execution: { ...writtenExecution(execution) }, times }
}

/** The call that an upload needs next. */
const nextCalls = {
  requested: 'PUT the file to the upload_url.',
  stored: 'Confirm the upload with POST /api/v1/upload/confirm.',
  confirmed: null,
  expired: 'Request a new upload: its URL has expired without a file.',
} as const

function uploadSummary(upload: Upload, { clock }: World, live: World): Schemas['UploadSummary'] {
  const expiresAt = expiryOf(upload)
  const state = upload.status === 'requested' && clock.now() >= expiresAt ? 'expired' : upload.status
  return written('UploadSummary', upload.request, upload, {
    state,
    expiresAt,
    isKept: upload.status !== 'requested' && isKept(upload, live),
    missing: nextCalls[state],
  })
}

/** Checks whether a world still has the bytes that an upload, perhaps at an earlier time, refers to. */
function isKept({ sessionId, puts }: Upload, live: World): boolean {
  const now = live.upload(sessionId)
  return now.puts === puts && live.hasContent(now)
}

/** Returns a header that makes browsers save the file (RFC 6266). */
function attachment({ request }: Upload): string {
  return `attachment; filename*=${extendedValue(request.file_name)}`
}
