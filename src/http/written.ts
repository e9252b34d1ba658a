import { validate } from '../contract/validate.ts'
import type { WorkflowDefinition } from '../domain/workflow.ts'
import type { RecordedEvent } from '../world/events.ts'
import { definitionFrom } from './mapping.ts'

/**
 * A definition that stays the text it came in until somebody asks for it. Most workflows of a mock are created and never
 * looked at again, and to the garbage collector one text is far less than forty objects.
 */
export class WrittenDefinition implements WorkflowDefinition {
  /** What was written, or what has been read from it. */
  #kept: string | WorkflowDefinition

  /** Takes the body of a request that was valid. */
  constructor(text: string) {
    this.#kept = text
  }

  get name(): string {
    return this.#read().name
  }

  get description(): string {
    return this.#read().description
  }

  get isSequential(): boolean {
    return this.#read().isSequential
  }

  get steps(): WorkflowDefinition['steps'] {
    return this.#read().steps
  }

  /** For a journal, which is no reason to keep what was read. */
  toJSON(): WorkflowDefinition {
    return typeof this.#kept === 'string' ? definitionIn(this.#kept) : this.#kept
  }

  #read(): WorkflowDefinition {
    if (typeof this.#kept === 'string') this.#kept = definitionIn(this.#kept)
    return this.#kept
  }
}

/** An event for whoever reads the journal: plain data, all of it. */
export function plain(event: RecordedEvent): RecordedEvent {
  if (event.type !== 'WorkflowCreated' || !(event.definition instanceof WrittenDefinition)) return event
  return { ...event, definition: event.definition.toJSON() }
}

function definitionIn(text: string): WorkflowDefinition {
  const validation = validate('createWorkflow', JSON.parse(text))
  if (!validation.valid) throw new TypeError('A definition is read from a body that was valid.')
  return definitionFrom(validation.body)
}
