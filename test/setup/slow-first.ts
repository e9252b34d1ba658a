import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { Random } from '../../src/world/random.ts'

/** Starts slow files first, so that none of them runs alone at the end. Otherwise the order is random. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const random = new Random(String(this.ctx.config.sequence.seed))
    const placed = files.map((file) => ({ file, place: (isSlow(file) ? 0 : 1) + random.draw() }))
    return placed.sort((a, b) => a.place - b.place).map(({ file }) => file)
  }
}

/** Quick files that take several seconds. */
const longest = [
  'cli/connection',
  'cli/learn',
  'cli/mock-in-trouble',
  'cli/secrets',
  'conformance/selftest/gate-mutants',
  'conformance/selftest/gate-pairs',
  'conformance/selftest/gate-variants',
  'conformance/selftest/learned',
  'conformance/vitest',
  'expressions',
  'node/journal-damage',
  'opinions/flow',
]

function isSlow({ project, moduleId }: TestSpecification): boolean {
  return project.name === 'slow' || longest.some((name) => moduleId.endsWith(`/test/${name}.test.ts`))
}
