/** Learns a mix a day, and demands that the mock then answers like it. The slow part learns more. */
import { coveringChoices } from '../../../conformance/selftest/covering.ts'
import { oneADay } from '../../support/sample.ts'
import { testMixes, testSingles } from './learned.ts'

testMixes(oneADay(coveringChoices()))
// A read that answers 202 shows nothing yet, and nothing to learn.
testSingles([{ timing: 'read-polled' }])
