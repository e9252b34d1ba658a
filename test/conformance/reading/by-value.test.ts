import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  echoedWorkflow,
  isDefinition,
  type Sample,
  sequentialOf,
  shownOf,
  shownSteps,
} from '../../../conformance/reading/by-value.ts'
import type { Finding } from '../../../conformance/reading/finding.ts'
import { valueAt } from '../../../conformance/reading/locate.ts'
import { nonEmpty } from '../../support/non-empty.ts'
import { frameworks, type Render, salesforce, samplesOf, sentWorkflows } from './samples.ts'

const findingsNamed = (findings: readonly Finding[], what: string) =>
  findings.filter((finding) => finding.what === what)
const placesOf = (samples: readonly Sample[]) =>
  Object.fromEntries(echoedWorkflow(samples).map(({ what, place, strength }) => [what, `${place} ${strength}`]))

test('everything that was sent is found in answers in the style of Salesforce', () => {
  expect(placesOf(samplesOf(salesforce))).toEqual({
    'workflow.name': '/Name proven',
    'workflow.description': '/Description__c proven',
    'workflow.isSequential': '/Is_Sequential__c proven',
    'workflow.steps': '/Steps__r/records/* proven',
    'step.step_id': '/Steps__r/records/*/Step_Id__c proven',
    'step.name': '/Steps__r/records/*/Name proven',
    'step.order': '/Steps__r/records/*/Order__c proven',
    'step.type': '/Steps__r/records/*/Type__c named',
    'step.estimated_duration': '/Steps__r/records/*/Estimated_Duration__c proven',
    'step.approvers': '/Steps__r/records/*/Approvers__r/records/* proven',
    'approver.email': '/Steps__r/records/*/Approvers__r/records/*/Email__c proven',
    'approver.name': '/Steps__r/records/*/Approvers__r/records/*/Name proven',
  })
})

test.each(nonEmpty(Object.entries(frameworks)))(
  'in the manner of %s, texts, orders and the steps are proven',
  (_, render) => {
    const found = echoedWorkflow(samplesOf(render))
    for (const what of [
      'workflow.name',
      'workflow.description',
      'workflow.isSequential',
      'workflow.steps',
      'step.order',
    ]) {
      expect(findingsNamed(found, what).map(({ strength }) => strength)[0], what).toBe('proven')
    }
    expect(findingsNamed(found, 'approver.email')[0]?.strength).toBe('proven')
  },
)

test.each(nonEmpty(Object.entries(frameworks)))(
  'in the manner of %s, each step is read beside what was sent',
  (_, render) => {
    for (const { sent, answers } of nonEmpty(samplesOf(render))) {
      const found = echoedWorkflow(samplesOf(render))
      const [list, order] = [findingsNamed(found, 'workflow.steps')[0], findingsNamed(found, 'step.order')[0]]
      if (!list || !order) throw new Error('The steps are not found.')
      const steps = shownSteps(answers.details, sent, list.place.slice(0, -2))?.pairs ?? []
      expect(steps.map(({ step }) => step.step_id).sort()).toEqual(['board-review', 'finance-review', 'legal-review'])
      for (const shown of nonEmpty(steps))
        expect(shownOf(shown.item, order, list).map(({ value }) => Number(value))).toEqual([shown.step.order])
    }
  },
)

test('items of other kinds in the list of the steps are not counted as steps', () => {
  const execution = { type: 'execution', id: '7', attributes: { progress: [{ step_id: 'legal-review' }] } }
  const compound: Render = ({ name, steps }) => ({
    data: { type: 'workflow', attributes: { name } },
    included: [...steps.map(({ step_id, ...step }) => ({ type: 'step', attributes: { step_id, ...step } })), execution],
  })
  for (const { sent, answers } of nonEmpty(samplesOf(compound))) {
    expect(shownSteps(answers.details, sent, '/included')?.items).toHaveLength(sent.steps.length)
    const { included = [] } = compound(sent, 1) as { included?: readonly unknown[] }
    const more = { included: [...included, { type: 'step', attributes: { step_id: 'x', name: 'X' } }] }
    expect(shownSteps(more, sent, '/included')?.items).toHaveLength(sent.steps.length + 1)
  }
})

test('without steps sent out of sequence, an order under another name is only likely', () => {
  const found = echoedWorkflow(samplesOf(frameworks.german as Render, sentWorkflows().slice(0, 2)))
  expect(findingsNamed(found, 'step.order').map(({ strength }) => strength)).toEqual(['likely'])
})

test('an empty list called steps is named beside proven places, and likely elsewhere', () => {
  const emptied: Render = ({ name }) => ({ name, steps: [] })
  expect(placesOf(samplesOf(emptied))['workflow.steps']).toBe('/steps/* named')
  const elsewhere: Render = ({ name }) => ({ name, template: { steps: [] } })
  expect(placesOf(samplesOf(elsewhere))['workflow.steps']).toBe('/template/steps/* likely')
})

test('a step without identifier is matched by its name, or as the only one left', () => {
  const [sent] = sentWorkflows()
  if (!sent) throw new Error('Nothing was sent.')
  const [one, two, three] = sent.steps
  const items = [{ ...one, step_id: '1' }, { ...three, step_id: '3', name: 'lost' }, two]
  const pairs = shownSteps({ steps: items }, sent, '/steps')?.pairs ?? []
  expect(new Map(pairs.map(({ step, item }) => [step, item]))).toEqual(
    new Map([
      [one, items[0]],
      [two, items[2]],
      [three, items[1]],
    ]),
  )
})

test('approvers under another name are found where all of them stand', () => {
  const people: Render = ({ name, steps }) => ({
    name,
    steps: steps.map(({ approvers, ...step }) => ({ ...step, next: [approvers[0]], people: approvers })),
  })
  expect(placesOf(samplesOf(people))['step.approvers']).toBe('/steps/*/people/* proven')
})

test('one sample proves nothing', () => {
  const found = echoedWorkflow(samplesOf(frameworks.german as Render, sentWorkflows().slice(0, 1)))
  const workflow = found.filter(({ what }) => ['workflow.name', 'workflow.isSequential', 'step.order'].includes(what))
  expect(workflow.filter(({ strength }) => strength === 'proven')).toEqual([])
})

test('a place with the name of the contract that is always wrong is named, not proven', () => {
  const wrong: Render = (sent) => ({ name: sent.name, description: 'none', isSequential: true, steps: sent.steps })
  const found = echoedWorkflow(samplesOf(wrong))
  expect(findingsNamed(found, 'workflow.description')[0]).toMatchObject({ place: '/description', strength: 'named' })
  expect(findingsNamed(found, 'workflow.isSequential')[0]).toMatchObject({ place: '/isSequential', strength: 'named' })
})

test('a place that is right twice stays proven if a third sample is wrong', () => {
  const samples = samplesOf(salesforce).map((sample, index) =>
    index < 2 ? sample : { ...sample, answers: { details: { ...(sample.answers.details as object), Name: 'lost' } } },
  )
  expect(findingsNamed(echoedWorkflow(samples), 'workflow.name')[0]).toMatchObject({
    place: '/Name',
    strength: 'proven',
  })
})

test('an envelope with a description of its own is rejected, and says why', () => {
  const wrapped: Render = (sent) => ({ description: 'All went well', workflow: { description: sent.description } })
  const [found] = findingsNamed(echoedWorkflow(samplesOf(wrapped)), 'workflow.description')
  expect(found?.place).toBe('/workflow/description')
  expect(found?.rejected).toEqual(['/description: does not follow the sent value'])
})

test('orders that follow positions are not proven by them', () => {
  const positions: Render = (sent) => ({
    name: sent.name,
    steps: sent.steps.map(({ step_id }, index) => ({ step_id, order: index + 1 })),
  })
  expect(findingsNamed(echoedWorkflow(samplesOf(positions)), 'step.order')[0]?.strength).toBe('named')
})

test('the steps of something else are not those of the workflow', () => {
  const others: Render = ({ name }) => ({ name, last_execution: { steps: [] }, bottlenecks: { steps: [] } })
  expect(findingsNamed(echoedWorkflow(samplesOf(others)), 'workflow.steps')).toEqual([])
  const both: Render = (sent) => ({ name: sent.name, critical_path: { steps: [] }, workflow: { steps: sent.steps } })
  expect(placesOf(samplesOf(both))['workflow.steps']).toBe('/workflow/steps/* proven')
})

test('figures of each step are not their definition, under any names', () => {
  const [sent] = sentWorkflows()
  if (!sent) throw new Error('Nothing was sent.')
  expect(isDefinition(valueAt(salesforce(sent, 1), '/Steps__r'), sent.steps)).toBe(true)
  expect(isDefinition(sent.steps, sent.steps)).toBe(true)
  const performance = sent.steps.map(({ step_id }) => ({ step_id, runs: 0 }))
  expect(isDefinition(performance, sent.steps)).toBe(false)
  expect(isDefinition({ total: 3 }, sent.steps)).toBe(false)
  const means = sent.steps.map(({ step_id }) => ({ step_id, approvals: 1, averageDuration: 'PT0.59S' }))
  expect(isDefinition(means, sent.steps)).toBe(false)
})

/** Renames every member, except those that are values themselves, such as identifiers of steps. */
function renameAll(json: unknown, nameOf: (name: string) => string): unknown {
  if (Array.isArray(json)) return json.map((item) => renameAll(item, nameOf))
  if (json === null || typeof json !== 'object') return json
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [nameOf(name), renameAll(value, nameOf)]))
}

const provenPlaces = (samples: readonly Sample[]) =>
  echoedWorkflow(samples).filter(({ strength, what }) => strength === 'proven' && what !== 'approver.name')

test('renaming every member to unknown words keeps what is proven', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.keys(frameworks).filter((name) => name !== 'django')),
      fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(...'qxzkvw') }),
      (name, prefix) => {
        const samples = samplesOf(frameworks[name] as Render)
        const rename = (one: string) => `${prefix}${[...one].map((letter) => letter.codePointAt(0)).join('')}`
        const others = samples.map((one) => ({ ...one, answers: { details: renameAll(one.answers.details, rename) } }))
        const counts = (all: readonly Sample[]) =>
          provenPlaces(all)
            .map(({ what, value }) => `${what} ${value}`)
            .sort()
        expect(counts(others)).toEqual(counts(samples))
      },
    ),
    { numRuns: 20 },
  )
})

test('adding unknown members changes no proven place', () => {
  const added = fc.dictionary(
    fc.string({ minLength: 1, maxLength: 6 }).map((name) => `+${name}`),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 4 },
  )
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(frameworks)), added, added, (name, one, other) => {
      const samples = samplesOf(frameworks[name] as Render)
      const more = samples.map((sample, index) => ({
        ...sample,
        answers: { details: { ...(index === 0 ? one : other), ...(sample.answers.details as object) } },
      }))
      expect(provenPlaces(more).map(({ what, place }) => `${what} ${place}`)).toEqual(
        provenPlaces(samples).map(({ what, place }) => `${what} ${place}`),
      )
    }),
    { numRuns: 60 },
  )
})

test.each([
  ['vorgang', 'steps', 'approvers'],
  ['d', 'ToSteps', 'ToApprovers'],
  ['workflow', 'stepList', 'approverEmails'],
])('in %s, a list of approvers that lacks some is still named', (wrapper, stepsName, approversName) => {
  const render: Render = ({ name, steps }) => ({
    [wrapper]: {
      name,
      [stepsName]: steps.map(({ approvers, ...step }) => ({
        ...step,
        [approversName]: approvers.slice(0, 1).map(({ email }) => email),
      })),
    },
  })
  const found = echoedWorkflow(samplesOf(render))
  expect(findingsNamed(found, 'step.approvers').map(({ place, strength }) => [place, strength])).toEqual([
    [`/${wrapper}/${stepsName}/*/${approversName}/*`, 'named'],
  ])
})

test('a list called steps is named, although it lacks some of them', () => {
  const render: Render = ({ name, steps }) => ({ name, ToSteps: { results: steps.slice(0, 2) } })
  const found = findingsNamed(echoedWorkflow(samplesOf(render)), 'workflow.steps')
  expect(found.map(({ place, strength }) => [place, strength])).toEqual([['/ToSteps/results/*', 'named']])
})

/** Steps that show a value instead of each address, by another word. */
const mailedTo =
  (address: unknown): Render =>
  ({ name, steps }) => ({
    name,
    steps: steps.map(({ approvers, ...step }) => ({
      ...step,
      approvers: approvers.map(({ name }) => ({ name, mail: address })),
    })),
  })

test('lost addresses are named by their meaning, and a mark of addresses is not', () => {
  expect(placesOf(samplesOf(mailedTo(null)))['approver.email']).toBe('/steps/*/approvers/*/mail named')
  expect(placesOf(samplesOf(mailedTo(true)))['approver.email']).toBeUndefined()
})

test.each([
  ['isSequential', true, true],
  ['sequential', 'nein', undefined],
  ['parallel', false, true],
  ['concurrent', 'true', false],
  ['mode', 'SEQUENTIAL', true],
  ['mode', 'parallel_steps', false],
  ['mode', 'express', undefined],
  ['description', 'Sequential numbers', undefined],
])('%s with %j means isSequential: %s', (name, value, expected) => {
  expect(sequentialOf(name, value)).toBe(expected)
})

const inSequence = (members: object) => {
  const render: Render = ({ name, steps }) => ({ name, steps, ...members })
  return findingsNamed(echoedWorkflow(samplesOf(render)), 'workflow.isSequential').map(({ strength }) => strength)
}

test('a word for sequential that is always true is named by its meaning', () => {
  expect(inSequence({ in_order: true })).toEqual(['named'])
  expect(inSequence({ mode: 'SEQUENTIAL' })).toEqual(['named'])
  expect(inSequence({ parallel: false })).toEqual(['named'])
})

test('a number of parallel steps, and another mode, are not named by their meaning', () => {
  expect(inSequence({ parallel_steps: 0 })).toEqual([])
  expect(inSequence({ mode: 'test' })).toEqual([])
  expect(inSequence({ numbering: 'sequential' })).toEqual([])
  expect(inSequence({ mode: true })).toEqual([])
})
