/** Functions that copy values by the structured clone algorithm, which refuses proxies. */
import { replace } from './replace.ts'

type Cloning = (this: unknown, ...values: unknown[]) => unknown

/** The names of the global classes, each with its methods that copy what they are given. */
const methods: readonly (readonly [type: string, ...names: readonly string[]])[] = [
  ['MessagePort', 'postMessage'],
  ['BroadcastChannel', 'postMessage'],
  ['Worker', 'postMessage'],
  ['ServiceWorker', 'postMessage'],
  ['History', 'pushState', 'replaceState'],
  ['IDBObjectStore', 'add', 'put'],
  ['IDBCursor', 'update'],
]

/** Lets the functions that copy values take tracked ones as well. Returns a function that restores them. */
export function allowCloning(copy: <Value>(value: Value) => Value): () => void {
  const globals = globalThis as unknown as Record<string, { readonly prototype?: Record<string, Cloning> } | undefined>
  const owners: [Record<string, Cloning>, string][] = [
    [globalThis as unknown as Record<string, Cloning>, 'structuredClone'],
    ...methods.flatMap(([type, ...names]) => {
      const prototype = globals[type]?.prototype
      return prototype ? names.map((name): [Record<string, Cloning>, string] => [prototype, name]) : []
    }),
  ]
  const restore = owners.flatMap(([owner, name]) =>
    typeof owner[name] === 'function' ? [replace(owner, name, (original) => retrying(original as Cloning, copy))] : [],
  )
  return () => {
    for (const undo of restore) undo()
  }
}

/** Calls a function again with copies if it refuses its arguments. It has done nothing before it refuses. */
function retrying(original: Cloning, copy: (value: unknown) => unknown): Cloning {
  return function (this: unknown, ...values) {
    try {
      return original.apply(this, values)
    } catch (error) {
      const [value, ...others] = values
      // Each realm has a DOMException of its own.
      if (!(error instanceof Object && 'name' in error && error.name === 'DataCloneError')) throw error
      const copied = copy(value)
      if (copied === value) throw error
      return original.call(this, copied, ...others)
    }
  }
}
