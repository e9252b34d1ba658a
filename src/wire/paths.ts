import { operations } from '../contract/operations.ts'
import { type HeaderList, jsonAnswer, type Outgoing } from './exchange.ts'
import { Problem } from './problem.ts'

const templates = [...new Set(Object.values(operations).map(({ path }) => path as string))]

/** Guesses which documented path was meant by a wrong one: another slash, case or version, or a missing prefix. */
function guessPath(path: string): string | undefined {
  const given = significantSegments(path)
  return templates.find((template) => {
    const segments = significantSegments(template)
    return (
      segments.length === given.length &&
      segments.every((segment, index) => segment.startsWith('{') || segment === given[index])
    )
  })
}

/** Returns a 404 that says what to use instead: the path that was meant, or all paths of the service. */
export function unknownServicePath(path: string): Problem {
  const guess = guessPath(path)
  return guess === undefined ? unknownPathAmong(path, templates) : unknownPath(path, `Use ${guess}`)
}

/** Returns a 404 that lists the paths of an API. */
export function unknownPathAmong(path: string, paths: readonly string[]): Problem {
  const shown = [...new Set(paths)].filter((one) => !one.startsWith('/storage/'))
  return unknownPath(path, `Use one of ${shown.join(', ')}`)
}

/**
 * Returns the answer at `/`, where programs ask whether the mock is ready, whatever they accept (RFC 9110 section 12.5.1). `why` says
 * why it is not the console.
 */
export function readyAnswer(why = 'A browser on this machine shows the console here.'): Outgoing {
  const headers: HeaderList = [['Content-Type', 'text/plain; charset=utf-8']]
  return { status: 200, headers, body: `The mock is ready. Its calls are below /api/v1/. ${why}\n` }
}

/** Answers OPTIONS with the allowed methods, and any other method with 405 (RFC 9110 section 15.5.6). */
export function answerOtherMethod(method: string, path: string, allowed: readonly string[]): Outgoing {
  const headers = { Allow: [...allowed, 'OPTIONS'].join(', ') }
  if (method === 'OPTIONS') return jsonAnswer(204, undefined, headers)
  const detail = `${method} is not allowed at ${path}. Use ${allowed.join(' or ')}.`
  throw new Problem('method-not-allowed', detail, { headers })
}

/** Returns a 404 that says what to do. */
export function unknownPath(path: string, advice: string): Problem {
  return new Problem('unknown-path', `There is no path '${path.slice(0, 200)}'. ${advice}.`)
}

function significantSegments(path: string): string[] {
  const segments = path.toLowerCase().split('/').filter(Boolean)
  const start = segments.findIndex((segment) => segment !== 'api' && !/^v\d+$/.test(segment))
  return start < 0 ? [] : segments.slice(start).map((segment) => segment.replace(/^uploads$/, 'upload'))
}
