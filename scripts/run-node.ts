import { type ExecFileOptions, execFile } from 'node:child_process'

/** The exit code and the output of a command. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a file with Node to its end. Throws only if it cannot be started. */
export function runNode(args: readonly string[], options: Pick<ExecFileOptions, 'cwd' | 'env'>): Promise<Ended> {
  const whole = { ...options, encoding: 'utf8', maxBuffer: Number.POSITIVE_INFINITY } as const
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, args, whole, (error, stdout, stderr) => {
      // The code is a string if the command could not be started, and a number if it ran.
      if (typeof error?.code === 'string') reject(error)
      else resolve({ code: child.exitCode, stdout, stderr })
    })
  })
}
