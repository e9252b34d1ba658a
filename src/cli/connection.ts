import { readFile } from 'node:fs/promises'
import type { Connection } from '../connect/guarded-fetch.ts'
import { UsageError } from './exit.ts'

/** The flags for connections. */
export interface ConnectionFlags {
  readonly cacert?: string
  readonly insecure?: boolean
}

/** Creates the settings for connections from the flags and the environment. Throws a `UsageError` for unusable certificates. */
export async function connectionOf({ cacert, insecure = false }: ConnectionFlags): Promise<Connection> {
  const proxies = {
    http: proxyOf('HTTP_PROXY'),
    https: proxyOf('HTTPS_PROXY'),
    none: variable('NO_PROXY'),
  }
  return {
    proxies: Object.fromEntries(Object.entries(proxies).filter(([, value]) => value !== undefined)),
    ...(cacert !== undefined && { authorities: await certificatesIn(cacert) }),
    isInsecure: insecure,
  }
}

/** Reads a variable in lower or upper case, as other programs do. */
function variable(name: string): string | undefined {
  return process.env[name.toLowerCase()] || process.env[name] || undefined
}

function proxyOf(name: string): string | undefined {
  const value = variable(name)
  if (value === undefined) return undefined
  const address = value.includes('://') ? value : `http://${value}`
  if (URL.canParse(address) && /^https?:/.test(address)) return address
  throw new UsageError(`${name} is not the address of a proxy. Set it to an address such as http://proxy.example:3128.`)
}

async function certificatesIn(path: string): Promise<string> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UsageError(`The certificates cannot be read: ${why}. Name a PEM file with --cacert.`)
  }
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  throw new UsageError(`${path} holds no certificate. Name a PEM file, which begins with -----BEGIN CERTIFICATE-----.`)
}

const untrusted =
  'DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY'

/** The error codes if a server does not support HTTP/1.1, such as one that supports only HTTP/2. */
const otherProtocol = /^HPE_|NO_APPLICATION_PROTOCOL|HTTP\/1\.1/

/** Returns advice for an unreachable address; `reason` is the system's error code. */
export function cureFor(reason: string): string {
  if (untrusted.split(' ').includes(reason)) {
    return 'No authority that this machine trusts has signed its certificate. Name the authority with --cacert FILE, or add --insecure to check no certificate.'
  }
  if (reason === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return 'Its certificate is for another name. Use the name in the certificate, or add --insecure to check no certificate.'
  }
  if (reason === 'CERT_HAS_EXPIRED')
    return 'Its certificate has expired. Renew it, or add --insecure to check no certificate.'
  if (otherProtocol.test(reason)) {
    return 'It does not answer in HTTP/1.1; perhaps it speaks HTTP/2 only, or TLS. Switch HTTP/1.1 on, put a gateway before it that speaks it, or begin the address with https://.'
  }
  return 'Check the address, and that the deployment runs.'
}
