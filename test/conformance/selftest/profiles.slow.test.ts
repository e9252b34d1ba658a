/** The mock with the profile of a variant answers like the variant, which the suite meets around mutants too. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerLike } from '../../../conformance/selftest/answer-like.ts'
import { coveringChoices } from '../../../conformance/selftest/covering.ts'
import type { Choice } from '../../../conformance/selftest/mutant.ts'
import { reference } from '../../../conformance/selftest/reference.ts'
import { mapNamedTemplates, templatesOf } from '../../../conformance/selftest/templates.ts'
import { axes, choiceText, profileOf, singleChoices, variant } from '../../../conformance/selftest/variants/index.ts'
import type { ServerFunction } from '../../../conformance/selftest/wrapper.ts'
import { withheld } from '../../../src/contract/http.ts'
import { flawOf } from '../../../src/profile/profile.ts'
import { compile, type Json } from '../../../src/profile/template.ts'
import { character } from '../../support/character.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { sampled } from '../../support/sample.ts'
import { playFlow } from './flow.ts'

/** Returns the part of a choice that is only about how answers look. */
function shapeOf(choice: Choice): Choice {
  const shapes = axes.filter(({ axis, of }) => of === 'shape' && axis in choice)
  return Object.fromEntries(shapes.map(({ axis }) => [axis, choice[axis] ?? '']))
}

/** Returns all answers of a server in the documented flow. ETags that are made anew differ. */
async function answersOf(choice: Choice, server: ServerFunction): Promise<unknown[]> {
  const answers: unknown[] = []
  await playFlow(choice, async (request) => {
    const response = await server(request)
    const { status, headers } = response
    const theirs = [...headers].filter(([name]) => !withheld.has(name))
    const shown = theirs.map(([name, value]) => [name, value.replace(/^"[0-9a-f]{32}"$/, '"new"')])
    answers.push([request.method, request.url, status, shown, await response.clone().text()])
    return response
  })
  return answers
}

const singles = singleChoices.filter((choice) => Object.keys(shapeOf(choice)).length > 0)
const mixes = sampled(coveringChoices()).map(shapeOf)
const titled = [{}, ...singles, ...mixes].map(
  (choice) => [choiceText(choice).slice(0, 40) || 'nothing', choice] as const,
)

test.each(nonEmpty(titled))('the mock answers like the profile of %s', async (_, choice) => {
  const profile = JSON.parse(JSON.stringify(profileOf(choice)))
  expect(flawOf(profile)).toBeUndefined()
  const own = await answersOf(choice, variant(choice)(reference))
  expect(own.length).toBeGreaterThan(10)
  expect(await answersOf(choice, reference(profile))).toEqual(own)
})

const name = fc.string({ unit: character }).filter((text) => !text.startsWith('$'))
const { object } = fc.letrec<{ value: unknown; object: Readonly<Record<string, unknown>> }>((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, fc.string(), fc.integer(), fc.boolean(), fc.array(tie('value')), tie('object')),
  object: fc.dictionary(fc.oneof(fc.constantFrom('a', 'b'), name), tie('value'), { maxKeys: 4 }),
}))
const luck = { draw: () => () => 0 }
const render = (template: Json, answer: unknown) => compile(template).render({ answer, now: '' }, luck)

test('the template of objects renders each of them as it is', () => {
  fc.assert(
    fc.property(fc.array(object, { minLength: 1, maxLength: 3 }), (objects) => {
      const template = templatesOf(objects, '/answer')
      for (const one of objects) expect(render(template, one)).toEqual(one)
    }),
  )
})

test('null stays null beside objects and lists', () => {
  const answer = { one: null, all: [{ one: null }, { one: { two: [] } }], none: [] }
  expect(render(templatesOf([answer], '/answer'), answer)).toEqual(answer)
})

test('the templates of members with a name are changed at every depth', () => {
  const answer = { id: 1, all: [{ id: 2, item: { id: 3, other: 4 } }] }
  const template = mapNamedTemplates(templatesOf([answer], '/answer'), 'id', () => 'new')
  expect(render(template, answer)).toEqual({ id: 'new', all: [{ id: 'new', item: { id: 'new', other: 4 } }] })
})

test('what a mutant adds, removes or writes as a page stays visible', async () => {
  const send = (answer: Response) =>
    answerLike((profile) => profile)(async () => answer)(new Request('http://selftest.test/api/v1/workflows/7'))
  const changed = { workflow_id: '7', added: [{ a: 0 }, { b: [''] }] }
  expect(await (await send(Response.json(changed))).json()).toEqual(changed)
  const page = new Response('<p>', { status: 203, headers: { 'Content-Type': 'text/html' } })
  const shown = await send(page)
  expect([shown.status, shown.headers.get('Content-Type'), await shown.text()]).toEqual([203, 'text/html', '<p>'])
})
