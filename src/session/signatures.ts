import { shortestSignature } from './redact.ts'

/** Returns true if a value is an identifier of a session or an object, which answers show too and the checks need. */
function isIdentifying(value: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) || value.startsWith('tenants/')
}

/** Returns true if a query parameter is a credential. Others, such as the list of signed headers, are not secret. */
export function isSignature(name: string, value: string): boolean {
  return (
    value.length >= shortestSignature &&
    !isIdentifying(value) &&
    (/signature|token|credential|secret|policy|(^|[-_])sig$/i.test(name) || /^[\w+/=-]{32,}$/.test(value))
  )
}
