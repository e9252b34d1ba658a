import { closeSync, existsSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import type { Damage } from './errors.ts'
import { linesOf } from './lines.ts'

/** Moves the lines of a journal, from the first damaged one on, to another file. Returns a message about what was kept. */
export function moveAside(path: string, file: number, { line, offset, reason }: Damage): string {
  const aside = findFreeName(`${path}.damaged`)
  const { size } = fstatSync(file)
  const lost = countLost(file, offset)
  copy(file, offset, size, aside)
  ftruncateSync(file, offset)
  fsyncSync(file)
  const kept = line === 1 ? 'Nothing was kept' : `Lines 1 to ${line - 1} were kept`
  return `${path} was repaired: line ${line} ${reason}. ${kept}. Line ${line} and all lines after it (${size - offset} bytes: ${lost}) were moved to ${aside}.`
}

/** Describes the moved lines: their number, and the number of tenants that can still be read in them. */
function countLost(file: number, offset: number): string {
  let lines = 0
  const tenants = new Set<string>()
  for (const { bytes } of linesOf(file, offset)) {
    lines += 1
    const [, tenant] = bytes.toString('latin1', 0, 100).match(/^\{"tenant":"([^"]+)"/) ?? []
    if (tenant) tenants.add(tenant)
  }
  return `${lines} ${lines === 1 ? 'line' : 'lines'} of ${tenants.size} ${tenants.size === 1 ? 'key' : 'keys'}`
}

function findFreeName(name: string): string {
  if (!existsSync(name)) return name
  let number = 2
  while (existsSync(`${name}-${number}`)) number += 1
  return `${name}-${number}`
}

function copy(file: number, from: number, to: number, path: string): void {
  const target = openSync(path, 'wx')
  try {
    const chunk = Buffer.allocUnsafe(1024 * 1024)
    for (let at = from; at < to; ) {
      const read = readSync(file, chunk, 0, Math.min(chunk.length, to - at), at)
      for (let done = 0; done < read; ) done += writeSync(target, chunk, done, read - done)
      at += read
    }
    fsyncSync(target)
  } finally {
    closeSync(target)
  }
}
