/** Learns the variants of the selftest that are due, and demands that the mock then answers like them. */
import { singleChoices } from '../../../conformance/selftest/variants/index.ts'
import { sampled } from '../../support/sample.ts'
import { testSingles } from './learned.ts'

testSingles(sampled(singleChoices, 64))
// A read that answers 202 shows nothing yet, and nothing to learn.
testSingles([{ timing: 'read-polled' }])
