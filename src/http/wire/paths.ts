import { adminOperations, operations } from '../../contract/operations.ts'

const templates = [...new Set(Object.values(operations).map(({ path }) => path as string))]

/** The documented path that a wrong one was probably meant to be: another slash, case, version or a lost prefix. */
export function meantPath(path: string): string | undefined {
  const given = essence(path)
  return templates.find((template) => {
    const segments = essence(template)
    return (
      segments.length === given.length &&
      segments.every((segment, index) => segment.startsWith('{') || segment === given[index])
    )
  })
}

/** The paths that a wrong one is answered with: those of its part. */
export function pathsLike(path: string): string {
  const all = path.startsWith('/__admin') ? Object.values(adminOperations).map(({ path }) => path as string) : templates
  return [...new Set(all)].filter((template) => !template.startsWith('/storage/')).join(', ')
}

function essence(path: string): string[] {
  const segments = path.toLowerCase().split('/').filter(Boolean)
  const start = segments.findIndex((segment) => segment !== 'api' && !/^v\d+$/.test(segment))
  return start < 0 ? [] : segments.slice(start).map((segment) => segment.replace(/^uploads$/, 'upload'))
}
