import { mutants } from '../../../conformance/selftest/mutants/index.ts'
import { singleChoices } from '../../../conformance/selftest/variants/index.ts'
import { testFaults, testInstances } from './compare.ts'

testInstances(singleChoices.filter((_, index) => index % 16 === 1))
testFaults(mutants.filter((_, index) => index % 30 === 1))
