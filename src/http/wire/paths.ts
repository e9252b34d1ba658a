import { adminOperations, operations } from '../../contract/operations.ts'

const templates = [...new Set(Object.values(operations).map(({ path }) => path as string))]

/** Guesses which documented path was meant by a wrong one: another slash, case or version, or a missing prefix. */
export function guessPath(path: string): string | undefined {
  const given = significantSegments(path)
  return templates.find((template) => {
    const segments = significantSegments(template)
    return (
      segments.length === given.length &&
      segments.every((segment, index) => segment.startsWith('{') || segment === given[index])
    )
  })
}

/** Lists the paths of the API that a wrong path belongs to: the service's or the admin API's. */
export function listPaths(path: string): string {
  const all = path.startsWith('/__admin') ? Object.values(adminOperations).map(({ path }) => path as string) : templates
  return [...new Set(all)].filter((template) => !template.startsWith('/storage/')).join(', ')
}

function significantSegments(path: string): string[] {
  const segments = path.toLowerCase().split('/').filter(Boolean)
  const start = segments.findIndex((segment) => segment !== 'api' && !/^v\d+$/.test(segment))
  return start < 0 ? [] : segments.slice(start).map((segment) => segment.replace(/^uploads$/, 'upload'))
}
