import { type OperationId, operations } from './operations.ts'

const calls = Object.entries(operations).map(([id, { method, path }]) => ({
  id: id as OperationId,
  method,
  // The service may be below a path of its own.
  pattern: new RegExp(`${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

/** Returns the documented call of a request, by its method and the path of its URL. Without a method, the path decides alone. */
export function callAt(method: string | undefined, url: string): OperationId | undefined {
  if (!URL.canParse(url)) return undefined
  const { pathname } = new URL(url)
  return calls.find((call) => call.pattern.test(pathname) && (method === undefined || call.method === method))?.id
}
