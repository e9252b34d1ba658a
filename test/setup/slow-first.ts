import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { Random } from '../../src/world/random.ts'

/**
 * Runs the projects one after the other, in the order of `vitest.config.ts`: a worker whose next file is of another project
 * ends, and the next one imports all modules again. In each project the slowest files start first, so that none of them runs
 * alone at the end. Otherwise the order is random.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const random = new Random(String(this.ctx.config.sequence.seed))
    const { projects } = this.ctx
    const placed = files.map((file) => {
      return { file, project: projects.indexOf(file.project), place: placeOf(file) + random.draw() }
    })
    return placed.sort((a, b) => a.project - b.project || a.place - b.place).map(({ file }) => file)
  }
}

/** The files that take half a minute or more, the slowest first. */
const slowest = [
  'browser/docs',
  'pages.slow',
  'browser/console',
  'browser/example',
  'conformance/selftest/gate-mutants.slow',
  'postgres/replicas.slow',
  'learn/troubled.slow',
  'conformance/explore/explore.slow',
  'conformance/learning/nonsense.slow',
  'conformance/selftest/gate-shapes.slow',
  'conformance/replay/compare.slow',
]

function placeOf({ moduleId }: TestSpecification): number {
  const rank = slowest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
  return rank < 0 ? 0 : rank - slowest.length
}
