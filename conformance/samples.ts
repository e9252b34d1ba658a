import type { Body } from '../src/contract/operations.ts'

const contentType = 'application/pdf'

/** What a run sends. Everything it makes carries the run's name, since the API has no delete. */
export class Samples {
  readonly #run: string
  /** What the names of all attempts of the run begin with. */
  readonly #family: string
  #made = 0

  constructor(runId: string) {
    this.#run = `conformance-${runId}`
    this.#family = `conformance-${runId.split('-')[0]}-`
  }

  /** A well-formed workflow of three steps with two approvers each, so that a lost one shows. */
  workflow(change: Partial<Body<'createWorkflow'>> = {}): Body<'createWorkflow'> {
    return {
      name: this.name(),
      description: 'Made by a conformance run; it may be deleted.',
      isSequential: true,
      steps: ['legal', 'finance', 'board'].map((label, index) => ({
        step_id: `${label}-review`,
        name: `Review by ${label}`,
        order: index + 1,
        type: 'approval',
        approvers: [
          { email: `${label}.first@example.com`, name: `First of ${label}` },
          { email: `${label}.second@example.com`, name: `Second of ${label}` },
        ],
        estimated_duration: 30 * (index + 1),
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
    const head = new TextEncoder().encode(`%PDF-1.4\r\n%${number}`)
    const values = number === 2 ? 70_000 : 256
    const bytes = new Uint8Array(head.byteLength + values + 2).fill(10)
    bytes.set(head)
    for (let value = 0; value < values; value += 1) bytes[head.byteLength + value] = value
    return bytes
  }
}
