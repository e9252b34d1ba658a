import { beforeEach } from 'vitest'

const longest = 79
/** Titles of the conformance suite contain the fact that each test checks, and may be longer. */
const ofConformance = /^[a-z-]+\.[a-z0-9-]+ \(section /

beforeEach(({ task: { name } }) => {
  if (name.length <= longest || ofConformance.test(name)) return
  throw new Error(`This title has ${name.length} characters. Shorten it to ${longest}, so that -t finds the test.`)
})
