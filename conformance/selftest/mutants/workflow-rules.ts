/** Broken rules of workflows: the limit of the name, the order, isSequential, identifiers, reading (sections 2, 4.1, 4.3). */
import type { Body } from '../../../src/contract/operations.ts'
import { mapNamed, mapTexts } from '../json.ts'
import { type Choice, type Mutant, mutant } from '../mutant.ts'
import {
  bodyOf,
  changeAnswers,
  changeBody,
  changed,
  compose,
  isCall,
  onCalls,
  problem,
  refuseWhen,
  serviceCalls,
  type Wrapper,
  wrap,
} from '../wrapper.ts'

type Workflow = Body<'createWorkflow'>
const showsSequential = ({ echo = '' }: Choice) => !['none', 'no-is-sequential'].includes(echo)
const showsSteps = ({ echo = '' }: Choice) => !['none', 'no-steps'].includes(echo)
const showsName = ({ echo = '' }: Choice) => !['none', 'no-name'].includes(echo)

const nameOf = ({ name }: { name?: unknown }) => (typeof name === 'string' ? name : '')
const refusesName = (isRefused: (name: string) => boolean) =>
  refuseWhen(['createWorkflow'], (_, body) => isRefused(nameOf(body)))

/** Names are taken up to another length; a name that the reference would not take goes there under a short one. */
function takesNames(upTo: number, kept: (name: string) => string = (name) => name): Wrapper {
  const names = new Map<string, string>()
  const shorten = onCalls(['createWorkflow'], async (request, inner) => {
    const body = await bodyOf(request)
    const name = nameOf(body ?? {})
    const length = [...name].length
    if (!body || length <= 100 || length > upTo) return inner(request)
    const short = `long name ${names.size + 1}`
    names.set(short, kept(name))
    return inner(await changed(request, { json: { ...body, name: short } }))
  })
  const restore = changeAnswers(['createWorkflow', 'getWorkflow'], (body) =>
    mapTexts(body, (text) => names.get(text) ?? text),
  )
  return compose(restore, shorten)
}

const cutTo = (limit: number) => (name: string) => [...name].slice(0, limit).join('')

const nameLimits: [id: string, breaks: string, create: () => Wrapper, needsName?: true][] = [
  ['name-limit-99', 'A name of 100 characters is refused.', () => refusesName((name) => [...name].length > 99)],
  [
    'name-limit-64',
    'A name of more than 64 characters is refused.',
    () => refusesName((name) => [...name].length > 64),
  ],
  [
    'name-limit-in-bytes',
    'The limit of the name counts bytes.',
    () => refusesName((name) => new TextEncoder().encode(name).byteLength > 100),
  ],
  ['name-ascii-only', 'A name with letters beyond ASCII is refused.', () => refusesName((name) => /[^ -~]/.test(name))],
  ['name-limit-101', 'A name of 101 characters is accepted.', () => takesNames(101)],
  ['name-limit-128', 'A name of up to 128 characters is accepted.', () => takesNames(128)],
  ['name-limit-255', 'A name of up to 255 characters is accepted.', () => takesNames(255)],
  ['name-limit-lost', 'A name of any length is accepted.', () => takesNames(100_000)],
  ['name-cut-to-100', 'A longer name is accepted and cut to 100 characters.', () => takesNames(100_000, cutTo(100))],
  [
    'name-cut-to-64',
    'A name of up to 100 characters is cut to 64.',
    () =>
      changeBody('createWorkflow', (body) => ({
        ...body,
        name: [...body.name].length > 100 ? body.name : cutTo(64)(body.name),
      })),
    true,
  ],
]

const sequential = (change: (value: boolean | undefined) => unknown) =>
  changeBody('createWorkflow', (body) => ({ ...body, isSequential: change(body.isSequential) }))

/** The orders 1 and up are refused; another first order is taken instead. */
function firstOrder(first: number): Wrapper {
  return onCalls(['createWorkflow'], async (request, inner) => {
    const body = (await bodyOf(request)) as Workflow | undefined
    if (!body?.steps?.every(({ order }) => Number.isInteger(order))) return inner(request)
    if (Math.min(...body.steps.map(({ order }) => order)) !== first) return problem(400)
    const steps = body.steps.map((step) => ({ ...step, order: step.order - first + 1 }))
    return inner(await changed(request, { json: { ...body, steps } }))
  })
}

const showsOrders = (change: (order: number) => number) =>
  changeAnswers(serviceCalls, (body) => mapNamed(body, 'order', (order) => change(Number(order))))

/** Every created workflow is shown with the identifier of the first, which then names the latest. */
function oneIdentifier(): Wrapper {
  let first: string | undefined
  let latest: string | undefined
  return compose(
    wrap(async (request, inner) =>
      inner(first && latest ? await changed(request, { url: request.url.replace(first, latest) }) : request),
    ),
    changeAnswers(['createWorkflow'], (body) => {
      latest = String(body.workflow_id)
      first ??= latest
      return body
    }),
    (inner) => async (request) => {
      const response = await inner(request)
      const text = await response.text()
      const { status, headers } = response
      const shown = first && latest ? text.replaceAll(latest, first) : text
      return new Response(text === '' ? null : shown, { status, headers })
    },
  )
}

/** Reading shows one workflow, whichever is asked for. */
function readsAlways(which: 'first' | 'latest'): Wrapper {
  let known: string | undefined
  return wrap(async (request, inner) => {
    if (isCall(request, 'getWorkflow') && known) {
      return inner(await changed(request, { url: request.url.replace(/[^/]+$/, known) }))
    }
    const response = await inner(request)
    if (isCall(request, 'createWorkflow') && response.ok) {
      const { workflow_id } = await response.clone().json()
      known = which === 'latest' ? workflow_id : (known ?? workflow_id)
    }
    return response
  })
}

export const workflowRuleMutants: readonly Mutant[] = [
  ...nameLimits.map(([id, breaks, create, needsName]) =>
    mutant(id, breaks, ['workflow.name-at-most-100'], create, {
      ...(needsName && { appliesTo: showsName, mayKill: ['workflow.name'] }),
    }),
  ),
  ...(
    [
      [
        'default-false',
        'isSequential is false where it is left out.',
        ['workflow.is-sequential-default-true'],
        () => sequential((value) => value ?? false),
      ],
      [
        'explicit-false-ignored',
        'isSequential is true whatever is sent.',
        ['workflow.is-sequential'],
        () => sequential(() => true),
      ],
      [
        'explicit-true-ignored',
        'isSequential true is kept as false.',
        ['workflow.is-sequential'],
        () => sequential((value) => (value === undefined ? undefined : false)),
      ],
      [
        'sequential-inverted',
        'isSequential is kept inverted.',
        ['workflow.is-sequential', 'workflow.is-sequential-default-true'],
        () => sequential((value) => value === false),
      ],
      [
        'default-null',
        'isSequential is shown as null where it is left out.',
        ['workflow.is-sequential-default-true'],
        defaultNull,
      ],
    ] as const
  ).map(([id, breaks, kills, create]) => mutant(id, breaks, kills, create, { appliesTo: showsSequential })),
  mutant(
    'sequential-required',
    'A workflow without isSequential is refused.',
    ['workflow.is-sequential-default-true'],
    () => refuseWhen(['createWorkflow'], (_, { isSequential }) => isSequential === undefined),
  ),
  mutant('false-refused', 'isSequential false is refused.', ['workflow.is-sequential'], () =>
    refuseWhen(['createWorkflow'], (_, { isSequential }) => isSequential === false),
  ),
  mutant('orders-from-0', 'Orders must start at 0.', ['step.order-starts-at-1'], () => firstOrder(0), {
    mayKill: ['step.order'],
  }),
  mutant('orders-from-2', 'Orders must start at 2.', ['step.order-starts-at-1'], () => firstOrder(2), {
    mayKill: ['step.order'],
  }),
  mutant(
    'orders-shown-from-0',
    'Orders are shown from 0.',
    ['step.order-starts-at-1'],
    () => showsOrders((order) => order - 1),
    { mayKill: ['step.order'], appliesTo: showsSteps },
  ),
  mutant(
    'orders-in-tens',
    'Orders are shown multiplied by 10.',
    ['step.order'],
    () => showsOrders((order) => order * 10),
    { mayKill: ['step.order-starts-at-1'], appliesTo: showsSteps },
  ),
  mutant(
    'one-identifier',
    'Every created workflow is shown with the same identifier.',
    ['workflow.ids-differ'],
    oneIdentifier,
    { mayKill: ['get-workflow.method-and-path'] },
  ),
  mutant(
    'create-answers-first',
    'Every further create is answered with the first workflow.',
    ['workflow.ids-differ'],
    createAnswersFirst,
    { mayKill: ['create-workflow.method-and-path'] },
  ),
  mutant(
    'reads-first',
    'Reading shows the first workflow, whichever is asked for.',
    ['get-workflow.method-and-path'],
    () => readsAlways('first'),
  ),
  mutant(
    'reads-latest',
    'Reading shows the latest workflow, whichever is asked for.',
    ['get-workflow.method-and-path'],
    () => readsAlways('latest'),
  ),
  mutant(
    'never-readable',
    'Created workflows are shown with an identifier that cannot be read.',
    ['get-workflow.method-and-path'],
    () =>
      onCalls(['createWorkflow'], async (request, inner) => {
        const response = await inner(request)
        if (!response.ok) return response
        const { workflow_id, ...body } = await response.json()
        return Response.json({ workflow_id: `${workflow_id}x`, ...body }, { status: response.status })
      }),
    { appliesTo: (variants) => variants['workflow-id'] !== 'location-only' },
  ),
]

function createAnswersFirst(): Wrapper {
  let first: { text: string; headers: Headers } | undefined
  return onCalls(['createWorkflow'], async (request, inner) => {
    const response = await inner(request)
    if (!response.ok) return response
    first ??= { text: await response.clone().text(), headers: response.headers }
    return new Response(first.text, { status: response.status, headers: first.headers })
  })
}

function defaultNull(): Wrapper {
  const left = new Set<unknown>()
  return compose(
    onCalls(['createWorkflow'], async (request, inner) => {
      const isLeft = (await bodyOf(request))?.isSequential === undefined
      const response = await inner(request)
      if (isLeft && response.ok) left.add((await response.clone().json()).workflow_id)
      return response
    }),
    changeAnswers(['createWorkflow', 'getWorkflow'], (body) =>
      left.has(body.workflow_id) ? { ...body, isSequential: null } : body,
    ),
  )
}
