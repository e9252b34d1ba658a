import type { WorkflowCreated, WorkflowDefinition } from '../domain/approval/workflow.ts'
import type { Journaled } from '../domain/decider.ts'

/** The text that a definition came in, and what reads it again. */
export interface Written {
  readonly text: string
  readonly read: (text: string) => WorkflowDefinition
}

/**
 * The creation of a workflow, whose definition stays the text it came in until somebody asks for it. Most workflows of a mock are
 * created and never looked at again, and to the garbage collector one text is far less than forty objects.
 */
export class WrittenCreation implements Journaled<WorkflowCreated> {
  readonly type = 'WorkflowCreated'
  readonly seq: number
  readonly at: number
  readonly workflowId: string
  readonly #text: string
  readonly #read: Written['read']

  constructor({ seq, at, workflowId }: Omit<Journaled<WorkflowCreated>, 'definition'>, { text, read }: Written) {
    this.seq = seq
    this.at = at
    this.workflowId = workflowId
    this.#text = text
    this.#read = read
  }

  /** Keeps the text that a creation came in, or a shorter one: with blanks, escapes or unknown members it would be kept with them. */
  static of(event: Journaled<WorkflowCreated>, written: Written): WrittenCreation {
    const { definition } = event
    const isLong = written.text.length > mostPerNeeded * lengthNeeded(definition)
    return new WrittenCreation(event, isLong ? { text: JSON.stringify(definition), read: JSON.parse } : written)
  }

  /** Read anew each time: whoever needs it again keeps it. */
  get definition(): WorkflowDefinition {
    return this.#read(this.#text)
  }

  /** The memory that the text takes, in bytes. */
  get bytes(): number {
    return this.#text.length * (beyondLatin1.test(this.#text) ? 2 : 1)
  }

  /** The event as plain data. */
  plain(): Journaled<WorkflowCreated> {
    const { type, seq, at, workflowId, definition } = this
    return { seq, at, type, workflowId, definition }
  }
}

/** A text may be longer than its definition needs by this factor. */
const mostPerNeeded = 1.25
/** Outside of these, V8 takes two bytes for each character of a text. */
const beyondLatin1 = /[\u0100-\uffff]/

/** About as many characters as a definition has in JSON, with the contract's names and indented a little. */
function lengthNeeded({ name, description, steps }: WorkflowDefinition): number {
  let length = 100 + name.length + description.length
  for (const step of steps) {
    length += 120 + step.stepId.length + step.name.length
    for (const { email, name } of step.approvers) length += 30 + email.length + name.length
  }
  return length
}
