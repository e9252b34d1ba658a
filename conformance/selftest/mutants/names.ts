import { changeValues } from '../json.ts'
import { type FaultRow, faultRows, mutantsOf, showsName } from '../mutant.ts'
import {
  bodyOf,
  changeRequest,
  changeWorkflows,
  compose,
  onCalls,
  refuseWhen,
  type Wrapper,
  withState,
} from '../wrapper.ts'
import { keeps } from './kept.ts'

const nameOf = ({ name }: { name?: unknown }) => (typeof name === 'string' ? name : '')
const refusesName = (isRefused: (name: string) => boolean) =>
  refuseWhen(['createWorkflow'], (_, body) => isRefused(nameOf(body)))

/** Accepts names up to another length. A name that the reference would refuse is replaced by a short one there. */
const takesNames = (upTo: number, kept: (name: string) => string = (name) => name) =>
  withState(() => {
    const names = new Map<unknown, string>()
    const shorten = onCalls(['createWorkflow'], async (request, inner) => {
      const body = await bodyOf(request)
      const name = nameOf(body ?? {})
      const length = [...name].length
      if (!body || length <= 100 || length > upTo) return inner(request)
      const short = `long name ${names.size + 1}`
      names.set(short, kept(name))
      return inner(await changeRequest(request, { json: { ...body, name: short } }))
    })
    const restore = changeWorkflows(changeValues((_, value) => names.get(value) ?? value))
    return compose(restore, shorten)
  })

const truncateTo = (limit: number) => (name: string) => [...name].slice(0, limit).join('')

const nameLimits: readonly FaultRow<Wrapper>[] = [
  ['name-limit-99', 'A name of 100 characters is refused.', refusesName((name) => [...name].length > 99)],
  ['name-limit-64', 'A name of more than 64 characters is refused.', refusesName((name) => [...name].length > 64)],
  [
    'name-limit-in-bytes',
    'The limit of the name counts bytes.',
    refusesName((name) => new TextEncoder().encode(name).byteLength > 100),
  ],
  [
    'name-limit-escaped',
    'The limit of the name counts the characters of escapes such as &amp;.',
    refusesName((name) => name.replaceAll('&', '&amp;').length > 100),
  ],
  ['name-limit-101', 'A name of 101 characters is accepted.', takesNames(101)],
  ['name-limit-128', 'A name of up to 128 characters is accepted.', takesNames(128)],
  ['name-limit-255', 'A name of up to 255 characters is accepted.', takesNames(255)],
  ['name-limit-lost', 'A name of any length is accepted.', takesNames(100_000)],
  ['name-cut-to-100', 'A longer name is accepted and cut to 100 characters.', takesNames(100_000, truncateTo(100))],
]

export const nameMutants = mutantsOf([
  ...faultRows('workflow.name-at-most-100', nameLimits, (wrapper) => wrapper),
  [
    'name-cut-to-64',
    'A name of up to 100 characters is cut to 64.',
    'workflow.name-at-most-100',
    keeps('name', (name) => ([...name].length > 100 ? name : truncateTo(64)(name))),
    { appliesTo: showsName, mayKill: ['workflow.name'] },
  ],
])
