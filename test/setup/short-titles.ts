import { beforeEach } from 'vitest'

const longest = 79
/** The suite names its own tests, with the fact that each of them checks. */
const ofConformance = /^[a-z-]+\.[a-z0-9-]+ \(section /

beforeEach(({ task: { name } }) => {
  if (name.length <= longest || ofConformance.test(name)) return
  throw new Error(`This title has ${name.length} characters. Shorten it to ${longest}, so that -t finds the test.`)
})
