/** Learns the variants of the selftest that are due, and demands that the mock then answers like them. */
import { singleChoices } from '../../../conformance/selftest/variants/index.ts'
import { isDeep, sampleDate, sampled } from '../../support/sample.ts'
import { testSingles } from './learned.ts'

// Learning takes long, so the whole gate has the part of a day, and only the deep one has all.
testSingles(sampled(singleChoices, isDeep ? 'deep' : sampleDate))
