/** Returns true if a host is this machine. */
function isLoopback(host: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/i.test(host)
}

/** Returns true if a host is this machine or has a reserved name, such as the one given to a function (RFC 6761). */
export function isNearby(host: string): boolean {
  return isLoopback(host) || /\.(test|invalid)$/i.test(host)
}

/** Returns true if a host is private: this machine, a private network (RFC 1918, RFC 4193) or link-local (RFC 3927). */
export function isPrivate(host: string): boolean {
  // A name may end with a dot for the root (RFC 1034 section 3.1).
  if (host.endsWith('.')) return isPrivate(host.slice(0, -1))
  if (isLoopback(host)) return true
  if (host.startsWith('[')) return /^\[(::|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/i.test(host)
  if (/^\d+(\.\d+){3}$/.test(host)) return privateQuad.test(host)
  return /^[^.]+$/.test(host) || /\.(local|internal|lan|home\.arpa)$/i.test(host)
}

const privateQuad =
  /^(0|10|127)\.|^192\.168\.|^169\.254\.|^172\.(1[6-9]|2\d|3[01])\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./
