import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { Random } from '../../src/world/random.ts'

/** Starts the slowest files first, then other slow ones, so that none of them runs alone at the end. Otherwise the order is random. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const random = new Random(String(this.ctx.config.sequence.seed))
    const placed = files.map((file) => ({ file, place: placeOf(file) + random.draw() }))
    return placed.sort((a, b) => a.place - b.place).map(({ file }) => file)
  }
}

/** The files that take longest, the longest first. */
const slowest = [
  'tutorial.slow',
  'conformance/selftest/gate-variants',
  'conformance/selftest/gate-pairs',
  'conformance/selftest/gate-mutants',
]

/** Quick files that take several seconds. */
const longest = [
  'cli/connection',
  'cli/learn',
  'cli/mock-in-trouble',
  'cli/secrets',
  'conformance/selftest/learned',
  'conformance/vitest',
  'expressions',
  'node/journal-damage',
  'opinions/flow',
]

function placeOf(file: TestSpecification): number {
  const rank = slowest.findIndex((name) => isFile(file, name))
  if (rank >= 0) return rank - slowest.length
  return file.project.name === 'slow' || longest.some((name) => isFile(file, name)) ? 0 : 1
}

const isFile = ({ moduleId }: TestSpecification, name: string) => moduleId.endsWith(`/test/${name}.test.ts`)
