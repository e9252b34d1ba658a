import { spawnSync } from 'node:child_process'

/** How much long tests do: few cases in `npm test`, all of them in slow tests and on CI, and more in the weekly deep run. */
const part = process.env.GATE_SAMPLE ?? 'few'
if (!['few', 'all', 'deep'].includes(part)) {
  throw new Error(`GATE_SAMPLE is '${part}'. Set it to 'all' or 'deep', or leave it out.`)
}

/** True for the weekly run (`npm run selftest:deep`), which is larger than `all`. */
export const isDeep = part === 'deep'

/** Returns the number of random cases to draw: `all`, or `few` in `npm test`. */
export function cases(all: number, few: number): number {
  return part === 'few' ? few : all
}

/** Returns the number of random cases of a slow test: a tenth, and `all` in the deep run. */
export function draws(all: number): number {
  return isDeep ? all : Math.ceil(all / 10)
}

/** Returns every sixteenth item of a list, or another part, since each takes long; in the deep run all of them. */
export function sampled<T>(list: readonly T[], part = 16): T[] {
  return list.filter((_, index) => isDeep || index % part === 0)
}

let commits: number | undefined

/** Returns the number of commits, which successive commits count on, or 0 without Git. */
function turn(): number {
  commits ??= Number(spawnSync('git', ['rev-list', '--count', 'HEAD'], { encoding: 'utf8' }).stdout || 0)
  return commits
}

/** Returns every fourth item of a list, at least one, and other ones for the next commit; in the deep run all of them. */
export function rotated<T>(list: readonly T[], at = turn()): T[] {
  const parts = isDeep ? 1 : Math.min(4, list.length)
  return list.filter((_, index) => index % parts === at % parts)
}

/** Returns the items of a list that are in the slice of `GATE_SLICE`, such as `3/8`, the third of eight; all of them without one. */
export function sliced<T>(list: readonly T[]): T[] {
  const text = process.env.GATE_SLICE ?? '1/1'
  const [, number = 0, slices = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number)
  if (number < 1 || number > slices) {
    throw new Error(`GATE_SLICE is '${text}'. Set it to a slice such as 3/8, the third of eight.`)
  }
  return list.filter((_, index) => index % slices === number - 1)
}
