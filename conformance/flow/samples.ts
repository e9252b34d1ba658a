import type { Body } from '../../src/contract/operations.ts'
import { withAllFields } from '../wire/contract-fields.ts'
import { pdfOf } from './pdf.ts'

const pdfType = 'application/pdf'

/** An approver in two steps of every workflow. */
const chair = { email: 'chair@example.com', name: 'Chair of the board' }

/** The bodies that a run sends. All created objects have the run's name, since the API cannot delete them. */
export class Samples {
  readonly #run: string
  /** The common prefix of the names in all attempts of the run. */
  readonly #family: string
  #made = 0
  #workflows = 0
  #executions = 0

  constructor(runId: string) {
    this.#run = `conformance-${runId}`
    this.#family = `conformance-${runId.split('-')[0]}-`
  }

  /**
   * Builds a valid workflow of three steps. Each step has two approvers, to detect a lost one; one approver is in two steps and
   * in every workflow. The description, the other approvers and two of the durations differ between workflows, to detect
   * confusions, and so do the steps of the first two; those of the others are alike, to detect services that mix these. Durations
   * are small, since their unit is not documented.
   */
  workflow(change: Partial<Body<'createWorkflow'>> = {}): Body<'createWorkflow'> {
    this.#workflows += 1
    const number = this.#workflows
    const own = number <= 2 ? number : ''
    const durations = number % 2 === 1 ? [2, 4, 6] : [3, 4, 12]
    const approver = (label: string, place: string) => ({
      email: `${label}.${place.toLowerCase()}.${number}@example.com`,
      name: `${place} of ${label} ${number}`,
    })
    const body = {
      name: this.name(),
      description: `Made by a conformance run as its number ${number}; it may be deleted.`,
      isSequential: true,
      steps: ['legal', 'finance', 'board'].map((label, index) => ({
        step_id: [label, 'review', own].filter(Boolean).join('-'),
        name: `Review by ${[label, own].filter(Boolean).join(' ')}`,
        order: index + 1,
        type: 'approval',
        approvers: [approver(label, 'First'), label === 'finance' ? approver(label, 'Second') : chair],
        estimated_duration: durations[index] ?? 2,
      })),
    }
    return { ...withAllFields<Body<'createWorkflow'>>('WorkflowRequest', body, number), ...change }
  }

  /** Extends a workflow to ten steps, to detect servers that sort orders as texts. */
  withTenSteps(body: Body<'createWorkflow'>): Body<'createWorkflow'> {
    const orders = Array.from({ length: 10 }, (_, index) => index + 1).slice(body.steps.length)
    const more = orders.map((order) => ({
      step_id: `area-${order}-review`,
      name: `Review by area ${order}`,
      order,
      type: 'approval' as const,
      approvers: [{ email: `area.${order}.${this.#workflows}@example.com`, name: `Head of area ${order}` }],
      estimated_duration: 4,
    }))
    return { ...body, steps: [...body.steps, ...more] }
  }

  /** Extends the description to more than 256 characters, which servers may cut to fit a column of a database. */
  withLongDescription(body: Body<'createWorkflow'>): Body<'createWorkflow'> {
    return { ...body, description: `${body.description}${' Each step has its own approvers.'.repeat(10)}` }
  }

  /** Changes durations, which servers may convert to other units, or store in two bytes. */
  withLongDurations(body: Body<'createWorkflow'>): Body<'createWorkflow'> {
    const long = [95, 50, 40_000]
    const steps = body.steps.map((step, index) => ({
      ...step,
      estimated_duration: long[index] ?? step.estimated_duration,
    }))
    return { ...body, steps }
  }

  /** Adds to the second step an approver with the display name of the last one, to detect servers that merge them or keep only two. */
  withNamesake(body: Body<'createWorkflow'>): Body<'createWorkflow'> {
    const steps = body.steps.map((step, index) => {
      const last = step.approvers.at(-1)
      if (index !== 1 || !last) return step
      return { ...step, approvers: [...step.approvers, { ...last, email: `namesake.${last.email}` }] }
    })
    return { ...body, steps }
  }

  /**
   * Adds texts that servers often corrupt: with characters outside Latin-1 and outside the Basic Multilingual Plane, and with those that
   * HTML reserves, and addresses with a plus sign. The chair gets an address of its own, since a deployment may store one name for each.
   */
  withOddTexts(body: Body<'createWorkflow'>): Body<'createWorkflow'> {
    const odd = ({ email, name }: typeof chair) => ({
      email: email === chair.email ? email.replace('@', `+${this.#workflows}@`) : email.replace(/\.(?=\d+@)/, '+'),
      name: `Łucja 李 ${name}`,
    })
    return {
      ...body,
      description: `${body.description} Terms & conditions, amounts <5000 €, 📄 "approved" in 日本.`,
      steps: body.steps.map((step) => ({ ...step, approvers: step.approvers.map(odd) })),
    }
  }

  /** Returns a name that is unique in the run. It has capitals, to detect servers that change the case. */
  name(): string {
    this.#made += 1
    return `${this.#run}-No${this.#made}`
  }

  /** Returns true if a text is a name that the run has created. */
  isName(text: string): boolean {
    return text.startsWith(this.#family)
  }

  /** Returns a name of exactly `characters` characters. */
  nameOf(characters: number, filler = 'x'): string {
    const name = `${this.name()} `
    return name + filler.repeat(characters - name.length)
  }

  /** Builds an execution. Each has another submitter, to detect confusions. `separator` is what precedes the number in the address. */
  execution(documentId: string, separator: '.' | '+' = '.'): Body<'executeWorkflow'> {
    this.#executions += 1
    const body = {
      document_id: documentId,
      submitter_email: `submitter${separator}${this.#executions}@example.com`,
      execution_mode: 'standard',
      priority: 'high',
    }
    return withAllFields('ExecutionRequest', body, this.#executions)
  }

  upload(file_size: number, file_name = `${this.name()}.pdf`, content_type = pdfType): Body<'requestUpload'> {
    return withAllFields('UploadRequest', { file_name, content_type, file_size }, this.#made)
  }

  /** Builds the request for an upload of `text` or `image`, which have other media types, to detect servers that sign all addresses for one. */
  fileUpload(kind: 'text' | 'image', contentType: string, extension: string): Body<'requestUpload'> {
    return this.upload(this[kind].byteLength, `${this.name()}.${extension}`, contentType)
  }

  /**
   * A CSV file, which content sniffing cannot mistake for another type. Its byte order mark, CRLF line breaks and trailing
   * spaces detect servers that normalize texts.
   */
  readonly text: Uint8Array<ArrayBuffer> = new TextEncoder().encode('\ufeffstep,approver\r\nlegal,1\r\n  ')

  /** A PNG image of one transparent pixel. */
  readonly image: Uint8Array<ArrayBuffer> = Uint8Array.from(atob(pixel), (character) => character.charCodeAt(0))

  /**
   * Returns a PDF with all 256 byte values and line breaks at its end, which any handling as text would damage. Each number has
   * different bytes and another size; number 2 is larger than 256 KiB, the largest part that servers commonly write at once.
   */
  pdf(number: number): Uint8Array<ArrayBuffer> {
    const known = pdfs.get(number)
    if (known) return known
    const everyValue = String.fromCharCode(...Array(256).keys())
    const made = pdfOf(`number ${number}${'.'.repeat(number)}`, everyValue.repeat(number === 2 ? 1040 : 1))
    pdfs.set(number, made)
    return made
  }
}

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** The cached files, which are the same in every run. */
const pdfs = new Map<number, Uint8Array<ArrayBuffer>>()
