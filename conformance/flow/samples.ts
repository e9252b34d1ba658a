import type { Body } from '../../src/contract/operations.ts'
import { pdfOf } from './pdf.ts'

const contentType = 'application/pdf'

/** Who approves in two steps of every workflow. */
const chair = { email: 'chair@example.com', name: 'Chair of the board' }

/** What a run sends. Everything it makes carries the run's name, since the API has no delete. */
export class Samples {
  readonly #run: string
  /** What the names of all attempts of the run begin with. */
  readonly #family: string
  #made = 0
  #workflows = 0

  constructor(runId: string) {
    this.#run = `conformance-${runId}`
    this.#family = `conformance-${runId.split('-')[0]}-`
  }

  /**
   * A well-formed workflow of three steps with two approvers each, so that a lost one shows; one of them has a part in two
   * steps and in every workflow. The description, all other approvers and the last duration are the workflow's own, so that
   * a mix-up of two shows. The unit of durations is not shown, so they are small.
   */
  workflow(change: Partial<Body<'createWorkflow'>> = {}): Body<'createWorkflow'> {
    this.#workflows += 1
    const number = this.#workflows
    const durations = [2, 4, number % 2 === 1 ? 6 : 12]
    const approver = (label: string, place: string) => ({
      email: `${label}.${place.toLowerCase()}.${number}@example.com`,
      name: `${place} of ${label} ${number}`,
    })
    return {
      name: this.name(),
      description: `Made by a conformance run as its number ${number}; it may be deleted.`,
      isSequential: true,
      steps: ['legal', 'finance', 'board'].map((label, index) => ({
        step_id: `${label}-review`,
        name: `Review by ${label}`,
        order: index + 1,
        type: 'approval',
        approvers: [approver(label, 'First'), label === 'finance' ? approver(label, 'Second') : chair],
        estimated_duration: durations[index] ?? 2,
      })),
      ...change,
    }
  }

  /** A name that nothing else of the run has; its capitals show where they are lost. */
  name(): string {
    this.#made += 1
    return `${this.#run}-No${this.#made}`
  }

  /** Whether a text is the name of something that the run has made. */
  isName(text: string): boolean {
    return text.startsWith(this.#family)
  }

  /** A name of exactly so many characters. */
  nameOf(characters: number, filler = 'x'): string {
    const name = `${this.name()} `
    return name + filler.repeat(characters - name.length)
  }

  execution(documentId: string): Body<'executeWorkflow'> {
    return {
      document_id: documentId,
      submitter_email: 'submitter@example.com',
      execution_mode: 'standard',
      priority: 'high',
    }
  }

  upload(fileSize: number, fileName = `${this.name()}.pdf`): Body<'requestUpload'> {
    return { file_name: fileName, content_type: contentType, file_size: fileSize }
  }

  /**
   * A PDF that holds all 256 byte values and ends with line breaks, so that reading it as text would damage it. Each number
   * has bytes of its own; those of number 2 are many.
   */
  pdf(number: number): Uint8Array<ArrayBuffer> {
    const known = pdfs.get(number)
    if (known) return known
    const everyValue = String.fromCharCode(...Array(256).keys())
    const made = pdfOf(`number ${number}`, everyValue.repeat(number === 2 ? 272 : 1))
    pdfs.set(number, made)
    return made
  }
}

/** Those of every run are the same. */
const pdfs = new Map<number, Uint8Array<ArrayBuffer>>()
