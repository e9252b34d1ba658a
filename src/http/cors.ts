import type { Incoming, Outgoing } from './exchange.ts'

const exposed = 'ETag,Location,WWW-Authenticate,Preference-Applied'
const methods = 'GET,HEAD,POST,PUT'
/** How long a browser need not ask again, in seconds. */
const maxAge = '600'

/** The answer to a preflight (gap.cors). Reflecting what is asked for covers `Authorization`, which `*` does not. */
export function preflight(incoming: Incoming): Outgoing {
  const asked = incoming.header('access-control-request-headers')
  return {
    status: 204,
    headers: {
      'Access-Control-Allow-Origin': incoming.header('origin') || '*',
      'Access-Control-Expose-Headers': exposed,
      'Access-Control-Max-Age': maxAge,
      'Access-Control-Allow-Methods': methods,
      ...(asked && { 'Access-Control-Allow-Headers': asked.replaceAll(/\s*,\s*/g, ',') }),
      Vary: asked ? 'Origin, Access-Control-Request-Headers' : 'Origin',
    },
  }
}

/** The answer for a page on any origin, without credentials. */
export function shared({ status, headers, body }: Outgoing, incoming: Incoming): Outgoing {
  return {
    status,
    headers: {
      ...headers,
      'Access-Control-Allow-Origin': incoming.header('origin') || '*',
      'Access-Control-Expose-Headers': exposed,
      Vary: 'Origin',
    },
    ...(body !== undefined && { body }),
  }
}
