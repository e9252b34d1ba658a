import type { WorkflowCreated, WorkflowDefinition } from '../domain/approval/workflow.ts'
import type { Journaled } from '../domain/decider.ts'
import type { RecordedEvent } from './events.ts'
import { type StoredText, storeText } from './stored-text.ts'

/** The text of a definition, and the function that parses it. */
export interface Written {
  readonly text: string
  readonly read: (text: string) => WorkflowDefinition
}

/**
 * A `WorkflowCreated` that stores the definition as text and parses it on demand. Most workflows of a mock are created and never
 * read again. One text costs the garbage collector much less than forty objects, and almost nothing outside the heap.
 */
export class WrittenCreation implements Journaled<WorkflowCreated> {
  readonly type = 'WorkflowCreated'
  readonly seq: number
  readonly at: number
  readonly workflowId: string
  readonly #text: StoredText
  readonly #read: Written['read']

  constructor({ seq, at, workflowId }: Omit<Journaled<WorkflowCreated>, 'definition'>, { text, read }: Written) {
    this.seq = seq
    this.at = at
    this.workflowId = workflowId
    this.#text = storeText(text)
    this.#read = read
  }

  /** Stores the text of a creation. If blanks, escapes or unknown members make it much longer, stores a shorter text. */
  static of(event: Journaled<WorkflowCreated>, written: Written): WrittenCreation {
    const { definition } = event
    const isLong = written.text.length > mostPerNeeded * lengthNeeded(definition)
    return new WrittenCreation(event, isLong ? { text: JSON.stringify(definition), read: JSON.parse } : written)
  }

  /** Returns an event with its definition as text, if it has one; other events as they are. */
  static from(event: RecordedEvent): RecordedEvent {
    if (event.type !== 'WorkflowCreated') return event
    return new WrittenCreation(event, { text: JSON.stringify(event.definition), read: JSON.parse })
  }

  /** Parses the definition. It is not cached, so keep it if you need it again. */
  get definition(): WorkflowDefinition {
    return this.#read(this.#text.read())
  }

  /** The memory that the text takes, in bytes. */
  get bytes(): number {
    return this.#text.size
  }

  /** Converts the event to plain data. */
  plain(): Journaled<WorkflowCreated> {
    const { type, seq, at, workflowId, definition } = this
    return { seq, at, type, workflowId, definition }
  }
}

/** The factor by which a text may be longer than its definition needs. */
const mostPerNeeded = 1.25

/** Estimates the length of a definition in JSON, with the contract's names and slightly indented. */
function lengthNeeded({ name, description, steps }: WorkflowDefinition): number {
  let length = 100 + name.length + description.length
  for (const step of steps) {
    length += 120 + step.step_id.length + step.name.length
    for (const { email, name } of step.approvers) length += 30 + email.length + name.length
  }
  return length
}
