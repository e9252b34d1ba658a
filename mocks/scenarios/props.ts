import { faker } from '@faker-js/faker/locale/en'
import type { World } from '../../src/world/world.ts'

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

export interface Person {
  readonly email: string
  readonly name: string
}

export interface StepPlan {
  readonly step_id: string
  readonly name: string
  readonly order: number
  readonly approvers: readonly Person[]
  readonly estimated_duration: number
}

/** Seeds faker from the world, so that the same seed invents the same data. */
export function seedFrom(world: World): void {
  faker.seed(world.random.bits())
}

/** Invents a person with an address at example.com, a reserved domain. */
export function person(): Person {
  const firstName = faker.person.firstName()
  const lastName = faker.person.lastName()
  const local = `${firstName}.${lastName}`.toLowerCase().replaceAll(/[^a-z.]/g, '')
  return { email: `${local}@example.com`, name: `${firstName} ${lastName}` }
}

/** Creates a workflow and returns its identifier. */
export function createWorkflow(world: World, name: string, steps: readonly StepPlan[], isSequential = true): string {
  const workflowId = world.random.id('wf')
  const description = faker.company.catchPhrase()
  const definition = { name, description, isSequential, steps: steps.map((step) => ({ ...step, type: 'approval' })) }
  world.handle({ type: 'CreateWorkflow', workflowId, definition })
  return workflowId
}

/** Requests an upload and returns its session identifier and file. */
export function requestUpload(world: World, fileName = inventFileName()) {
  const sessionId = world.random.uuid()
  const key = `tenants/${world.tenantId}/uploads/${world.random.id()}/${fileName}`
  const request = { file_name: fileName, content_type: 'application/pdf', file_size: pdf.byteLength }
  world.handle({ type: 'RequestUpload', sessionId, maxBytes: pdf.byteLength, key, request })
  return { sessionId, key, file_name: fileName }
}

/** Uploads a small PDF, confirms it and returns its document identifier. */
function uploadDocument(world: World): string {
  const { sessionId, ...file } = requestUpload(world)
  world.storeObject(sessionId, pdf)
  const documentId = world.random.id('doc')
  world.handle({ type: 'ConfirmUpload', sessionId, completedFiles: [file], documentId })
  return documentId
}

/** Executes a workflow for a new document and returns the execution's identifier. */
export function execute(world: World, workflowId: string, priority: 'low' | 'normal' | 'high' = 'normal'): string {
  const executionId = world.random.id('exe')
  const documentId = uploadDocument(world)
  const request = {
    document_id: documentId,
    submitter_email: person().email,
    execution_mode: 'standard',
    priority,
  }
  world.handle({ type: 'StartExecution', executionId, workflowId, request })
  return executionId
}

function inventFileName(): string {
  return `${faker.commerce.product().toLowerCase()}-${faker.finance.accountNumber(5)}.pdf`
}

/** A minimal PDF: one empty page. */
const pdf = new TextEncoder().encode(
  '%PDF-1.1\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
)
