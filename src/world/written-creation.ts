import type { Recorded } from '../domain/decider.ts'
import type { WorkflowCreated, WorkflowDefinition } from '../domain/workflow.ts'

/** The text that a definition came in, and what reads it again. */
export interface Written {
  readonly text: string
  readonly read: (text: string) => WorkflowDefinition
}

/**
 * The creation of a workflow, whose definition stays the text it came in until somebody asks for it. Most workflows of a mock are
 * created and never looked at again, and to the garbage collector one text is far less than forty objects.
 */
export class WrittenCreation implements Recorded<WorkflowCreated> {
  readonly type = 'WorkflowCreated'
  readonly seq: number
  readonly at: number
  readonly workflowId: string
  readonly #text: string
  readonly #read: Written['read']

  constructor({ seq, at, workflowId }: Recorded<WorkflowCreated>, { text, read }: Written) {
    this.seq = seq
    this.at = at
    this.workflowId = workflowId
    this.#text = text
    this.#read = read
  }

  /** Read anew each time: whoever needs it again keeps it. */
  get definition(): WorkflowDefinition {
    return this.#read(this.#text)
  }

  /** The event as plain data. */
  plain(): Recorded<WorkflowCreated> {
    const { type, seq, at, workflowId, definition } = this
    return { seq, at, type, workflowId, definition }
  }
}
