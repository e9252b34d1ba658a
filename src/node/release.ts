import { MessageChannel } from 'node:worker_threads'

/** Smaller ones cost less to collect than to give back, in bytes. */
const worthwhile = 16 * 1024

const { port1: nowhere, port2 } = new MessageChannel()
port2.close()

/**
 * Gives back the memory of bytes that nobody needs any more, instead of leaving it to the garbage collector: the chunks of
 * large bodies would make it look through all workflows for every few files. What is sent to a closed port is freed at once
 * (`ArrayBuffer.prototype.transfer` does the same from Node 22 on). Bytes that share their memory with others stay.
 */
export function release({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < worthwhile || byteLength !== buffer.byteLength) return
  if (buffer instanceof ArrayBuffer) nowhere.postMessage(undefined, [buffer])
}
