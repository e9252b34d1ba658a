/** Does the same as `learned.slow.test.ts` for mixes of variants and for odd deployments, on another core. */
import { coveringChoices } from '../../../conformance/selftest/covering.ts'
import { rotated, sampled } from '../../support/sample.ts'
import { oddOnes, testMixes, testOddOnes } from './learned.ts'

testMixes(
  sampled(
    coveringChoices().filter((_, index) => index % 3 === 0),
    64,
  ),
)
testOddOnes(rotated(oddOnes))
