import { coveringChoices } from '../../../conformance/selftest/covering.ts'
import { singleChoices } from '../../../conformance/selftest/variants/index.ts'
import { sampled } from '../../support/sample.ts'
import { testReplays } from './replay.ts'

testReplays([...sampled(singleChoices), ...sampled(coveringChoices(), 32)])
