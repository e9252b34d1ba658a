import type { ListedRequest } from '../live/live.ts'

/** Returns true if a request was refused or done, if the state is one of these; `status` 0 stands for no answer. */
export function isInState({ status }: Pick<ListedRequest, 'status'>, state: string | undefined): boolean {
  if (state === 'refused') return status >= 400 || status === 0
  return state !== 'done' || (status < 400 && status > 0)
}

/** Returns true if each word of a filter occurs in a request. */
export function matches({ method, path, status, code, operation_id }: ListedRequest, filter: string): boolean {
  if (filter === '') return true
  const text = `${method} ${path} ${status} ${code ?? ''} ${operation_id ?? ''}`.toLowerCase()
  return filter
    .toLowerCase()
    .split(' ')
    .every((word) => text.includes(word))
}
