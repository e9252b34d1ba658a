import { configureGlobal } from 'fast-check'
import { cases } from '../support/sample.ts'

// Properties that do not state the number of their cases.
configureGlobal({ numRuns: cases(100, 25) })
