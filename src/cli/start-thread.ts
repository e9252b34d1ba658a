import { Worker } from 'node:worker_threads'
import { mostMemoryMb, type StartThread } from './thread.ts'

/** Starts a thread with the code that the build bundles beside that of the command line, of which this file is a part. */
export const startThread: StartThread = (task) =>
  new Worker(new URL('./worker.js', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb },
  })
