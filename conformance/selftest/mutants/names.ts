import { mapTexts } from '../json.ts'
import { type Mutant, mutant } from '../mutant.ts'
import { bodyOf, changeAnswers, changeRequest, compose, onCalls, refuseWhen, type Wrapper } from '../wrapper.ts'
import { keeps, showsName } from './kept.ts'

const nameOf = ({ name }: { name?: unknown }) => (typeof name === 'string' ? name : '')
const refusesName = (isRefused: (name: string) => boolean) =>
  refuseWhen(['createWorkflow'], (_, body) => isRefused(nameOf(body)))

/** Accepts names up to another length. A name that the reference would refuse is replaced by a short one there. */
function takesNames(upTo: number, kept: (name: string) => string = (name) => name): Wrapper {
  const names = new Map<string, string>()
  const shorten = onCalls(['createWorkflow'], async (request, inner) => {
    const body = await bodyOf(request)
    const name = nameOf(body ?? {})
    const length = [...name].length
    if (!body || length <= 100 || length > upTo) return inner(request)
    const short = `long name ${names.size + 1}`
    names.set(short, kept(name))
    return inner(await changeRequest(request, { json: { ...body, name: short } }))
  })
  const restore = changeAnswers(['createWorkflow', 'getWorkflow'], (body) =>
    mapTexts(body, (text) => names.get(text) ?? text),
  )
  return compose(restore, shorten)
}

const truncateTo = (limit: number) => (name: string) => [...name].slice(0, limit).join('')

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
  [
    'name-limit-escaped',
    'The limit of the name counts the characters of escapes such as &amp;.',
    () => refusesName((name) => name.replaceAll('&', '&amp;').length > 100),
  ],
  ['name-limit-101', 'A name of 101 characters is accepted.', () => takesNames(101)],
  ['name-limit-128', 'A name of up to 128 characters is accepted.', () => takesNames(128)],
  ['name-limit-255', 'A name of up to 255 characters is accepted.', () => takesNames(255)],
  ['name-limit-lost', 'A name of any length is accepted.', () => takesNames(100_000)],
  [
    'name-cut-to-100',
    'A longer name is accepted and cut to 100 characters.',
    () => takesNames(100_000, truncateTo(100)),
  ],
  [
    'name-cut-to-64',
    'A name of up to 100 characters is cut to 64.',
    () =>
      keeps((body) => ({
        ...body,
        name: [...body.name].length > 100 ? body.name : truncateTo(64)(body.name),
      })),
    true,
  ],
]

export const nameMutants: readonly Mutant[] = [
  ...nameLimits.map(([id, breaks, create, needsName]) =>
    mutant(id, breaks, ['workflow.name-at-most-100'], create, {
      ...(needsName && { appliesTo: showsName, mayKill: ['workflow.name'] }),
    }),
  ),
]
