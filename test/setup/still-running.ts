import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const minute = 60_000

/**
 * Prints every three minutes which files have been running for so long. A limit ends a test that waits in vain, but nothing
 * ends one that never stops computing: its worker no longer answers.
 */
export class StillRunning implements Reporter {
  private readonly begun = new Map<TestModule, number>()
  private timer: NodeJS.Timeout | undefined

  onTestRunStart(): void {
    this.timer = setInterval(() => this.print(), 3 * minute).unref()
  }

  onTestModuleStart(file: TestModule): void {
    this.begun.set(file, Date.now())
  }

  onTestModuleEnd(file: TestModule): void {
    this.begun.delete(file)
  }

  onTestRunEnd(): void {
    clearInterval(this.timer)
  }

  private print(): void {
    for (const [file, begun] of this.begun) {
      const minutes = Math.floor((Date.now() - begun) / minute)
      if (minutes < 3) continue
      process.stderr.write(`Running for ${minutes} minutes: ${relative(process.cwd(), file.moduleId)}\n`)
    }
  }
}
