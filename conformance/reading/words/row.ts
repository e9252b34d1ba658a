/** The meaning of a word in a name. */
export type Role =
  | 'measure'
  | 'insight'
  | 'overview'
  | 'step'
  | 'execution'
  | 'advice'
  | 'count'
  | 'begun'
  | 'open'
  | 'ended'
  | 'success'
  | 'rate'
  | 'completion'
  | 'duration'
  | 'average'
  /** The smallest of several values. */
  | 'least'
  /** The largest of several values. */
  | 'most'
  | 'estimate'
  /** A literal translation of 'estimated'. */
  | 'estimated'
  | 'waiting'
  | 'bottleneck'
  | 'slow'
  | 'state'
  | 'atWork'
  | 'workflow'
  | 'envelope'
  | 'label'
  | 'history'
  | 'task'
  | 'person'
  | 'approver'
  | 'assigned'
  /** A person who works on a step. */
  | 'handler'
  | 'address'
  | 'other'
  | 'record'
  | 'bookkeeping'
  | 'moment'
  | 'computed'
  | 'updated'
  | 'linking'
  | 'message'
  | 'explanation'
  | 'fault'
  | 'content'
  | 'code'
  | 'codePrefix'
  | 'number'
  | 'time'
  | 'answer'
  | 'verdict'
  | 'head'
  | 'fine'
  | 'refused'
  | 'empty'
  | 'denial'
  | 'identifier'
  | 'key'
  | 'folder'
  | 'prefix'
  | 'size'
  | 'digest'
  | 'document'
  | 'sequential'
  | 'parallel'
  | 'mode'
  | 'priority'
  /** A priority other than high. */
  | 'otherPriority'
  | 'submitter'
  /** How bad something is. */
  | 'level'
  /** A literal translation of 'description'. */
  | 'description'
  /** A literal translation of 'type'. */
  | 'kind'
  /** The end of something that was not approved. */
  | 'denied'
  /** A median or another quantile, which is an average in a wider sense. */
  | 'quantile'
  /** The answer of an approver, whatever it was. */
  | 'decided'

/** A word, or a phrase of up to four words, with one of its roles. A word with several roles has several rows. */
export interface WordRow {
  readonly word: string
  readonly role: Role
  /** ISO 639-1. @default English */
  readonly language?: string
}
