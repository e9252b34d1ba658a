/** Workflows as a run sends them, and answers in the style of several frameworks. */

import { Samples } from '../../../conformance/flow/samples.ts'
import type { Body } from '../../../src/contract/operations.ts'

export type SentWorkflow = Body<'createWorkflow'>

export type Render = (sent: SentWorkflow, number: number) => object

/** Workflow 1 is sequential, workflow 2 is not, and the steps of workflow 3 are sent out of sequence. */
export function sentWorkflows(): SentWorkflow[] {
  const samples = new Samples('reading-1')
  const [first, second, third] = [samples.workflow(), samples.workflow({ isSequential: false }), samples.workflow()]
  return [first, second, { ...third, steps: third.steps.toReversed() }]
}

const salesforce: Render = (sent, number) => ({
  attributes: { type: 'Workflow__c', url: `/services/data/v59.0/sobjects/Workflow__c/a0${number}` },
  Id: `a0X${number}`,
  Name: sent.name,
  Description__c: sent.description,
  Is_Sequential__c: sent.isSequential ?? true,
  Total_Executions__c: 0,
  Steps__r: {
    totalSize: sent.steps.length,
    done: true,
    records: sent.steps.map((step, index) => ({
      Id: `a1X${number}${index}`,
      Name: step.name,
      Step_Id__c: step.step_id,
      Order__c: step.order,
      Type__c: step.type,
      Estimated_Duration__c: step.estimated_duration,
      Approvers__r: {
        totalSize: 2,
        records: step.approvers.map(({ email, name }) => ({ Email__c: email, Name: name })),
      },
    })),
  },
})

const spring: Render = (sent, number) => ({
  id: number,
  name: sent.name,
  description: sent.description,
  sequential: sent.isSequential ?? true,
  _embedded: {
    steps: sent.steps.map((step) => ({
      stepId: step.step_id,
      name: step.name,
      order: step.order,
      type: 'APPROVAL',
      estimatedDuration: `PT${step.estimated_duration}H`,
      approvers: step.approvers,
    })),
  },
})

const django: Render = (sent, number) => ({
  pk: number,
  fields: {
    title: sent.name,
    description: sent.description,
    is_sequential: sent.isSequential ?? true,
    stages: Object.fromEntries(
      sent.steps.map((step) => [
        step.step_id,
        {
          label: step.name,
          position: step.order,
          approvers: step.approvers,
          duration: `0${step.estimated_duration % 10}:00:00`,
        },
      ]),
    ),
  },
})

const rails: Render = (sent, number) => ({
  data: {
    id: String(number),
    type: 'workflow',
    attributes: { name: sent.name, description: sent.description, 'is-sequential': String(sent.isSequential ?? true) },
  },
  included: sent.steps.map((step) => ({
    type: 'step',
    id: step.step_id,
    attributes: {
      name: step.name,
      order: step.order,
      'estimated-duration': step.estimated_duration * 60,
      approvers: step.approvers,
    },
  })),
})

const dotnet: Render = (sent, number) => ({
  Value: {
    WorkflowId: `00000000-0000-4000-8000-00000000000${number}`,
    Name: sent.name,
    Description: sent.description,
    Mode: sent.isSequential === false ? 'Parallel' : 'Sequential',
    Steps: sent.steps
      .toSorted((a, b) => a.order - b.order)
      .map((step) => ({
        StepId: step.step_id,
        Name: step.name,
        Order: step.order,
        Type: 'Approval',
        Approvers: step.approvers.map(({ email, name }) => ({ Email: email, Name: name })),
        EstimatedDuration: step.estimated_duration,
      })),
  },
})

const go: Render = (sent, number) => ({
  workflow: {
    uid: `wf${number}`,
    display_name: sent.name,
    description: sent.description,
    is_sequential: sent.isSequential ?? true,
    step_list: sent.steps.map((step) => ({
      step: { id: step.step_id, name: step.name },
      order: String(step.order),
      approver_emails: step.approvers.map(({ email }) => email),
      estimated_duration: String(step.estimated_duration),
    })),
  },
})

export const frameworks: Readonly<Record<string, Render>> = { salesforce, spring, django, rails, dotnet, go }
