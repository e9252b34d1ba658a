import type { Row } from '../harness/row.ts'
import { row as console } from './console.ts'
import { row as create } from './create-workflow.ts'
import { row as flow } from './flow.ts'
import { row as gate } from './gate.ts'
import { row as halfOpen } from './half-open.ts'
import { row as history } from './history.ts'
import { row as put } from './large-upload.ts'
import { row as like } from './like.ts'
import { row as turns } from './long-turns.ts'
import { row as memory } from './memory.ts'
import { row as postgres } from './postgres.ts'
import { row as read } from './read-details.ts'
import { row as routing } from './routing-decision.ts'
import { row as start } from './start.ts'
import { row as suite } from './suite.ts'
import { row as p99 } from './tail-latency.ts'
import { row as waits } from './waits.ts'
import { row as watched } from './watched.ts'

/** All rows in the order of the table. */
export const rows: readonly Row[] = [
  create,
  read,
  like,
  history,
  flow,
  p99,
  halfOpen,
  turns,
  start,
  put,
  suite,
  waits,
  gate,
  routing,
  memory,
  console,
  watched,
  postgres,
]
