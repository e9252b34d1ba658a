/** Learns a variant, a mix and an odd deployment a day, and demands that the mock then answers like them. The slow part learns more. */
import { coveringChoices } from '../../../conformance/selftest/covering.ts'
import { singleChoices } from '../../../conformance/selftest/variants/index.ts'
import { oneADay } from '../../support/sample.ts'
import { oddOnes, testMixes, testOddOnes, testSingles } from './learned.ts'

testSingles(oneADay(singleChoices))
testMixes(oneADay(coveringChoices()))
testOddOnes(oneADay(oddOnes))
