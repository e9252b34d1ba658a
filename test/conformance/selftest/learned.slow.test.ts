/** Learns the variants of the selftest that are due, and demands that the mock then answers like them. */
import { coveringChoices } from '../../../conformance/selftest/covering.ts'
import { singleChoices } from '../../../conformance/selftest/variants/index.ts'
import { isDeep, sampled, today } from '../../support/sample.ts'
import { oddOnes, testMixes, testOddOnes, testSingles } from './learned.ts'

/** Learning takes long, so the whole gate has the part of a day, and only the deep one has all. */
const day = isDeep ? 'deep' : today

testSingles(sampled(singleChoices, day))
testMixes(
  sampled(
    coveringChoices().filter((_, index) => index % 3 === 0),
    day,
  ),
)
testOddOnes(oddOnes)
