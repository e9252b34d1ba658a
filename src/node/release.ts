import { MessageChannel } from 'node:worker_threads'

/** The smallest size to release, in bytes. Smaller buffers are cheaper to leave to the garbage collector. */
const worthwhile = 16 * 1024

const { port1: nowhere, port2 } = new MessageChannel()
port2.close()

/**
 * Releases the memory of unused bytes at once. Otherwise the chunks of large bodies would trigger the garbage collector,
 * which scans all workflows, after every few files. A buffer that is sent to a closed port is freed immediately
 * (`ArrayBuffer.prototype.transfer` does the same from Node 22 on). Bytes that share their buffer are not released.
 */
export function release({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < worthwhile || byteLength !== buffer.byteLength) return
  if (buffer instanceof ArrayBuffer) nowhere.postMessage(undefined, [buffer])
}
