import { coveringChoices } from '../../../conformance/selftest/covering.ts'
import { singleChoices } from '../../../conformance/selftest/variants/index.ts'
import { testReplays } from './replay.ts'

testReplays([...singleChoices, ...coveringChoices().filter((_, index) => index % 4 === 0)])
