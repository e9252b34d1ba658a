/**
 * Upload URLs in a deployment's style. Storage signs and verifies addresses of its own, and the mock maps the deployment's to them.
 * Without a journal, the map is kept in memory. With a journal, another process may receive the upload: then the URL carries
 * storage's address in place of the signature, and is longer than the deployment's. A changed URL is refused in both cases.
 */
import type { Style } from '../../profile/style.ts'
import type { Facts, RandomSource } from '../../profile/template.ts'
import type { Incoming } from '../../wire/exchange.ts'
import { canonicalAddress } from '../../world/presign.ts'

/** The parameter that carries the signature if the style has no place for it. */
const spare = 'signature'

/** The number of URLs that are kept in memory; the oldest is dropped first. */
const mostRemembered = 10_000

/** The number of times that a URL is drawn again if it belongs to another upload. */
const mostDraws = 20

/** The part of an address that is replaced by a token: a parameter of the query, or a segment of the path. */
type Carrier = { readonly parameter: string } | { readonly segment: number }

/** Maps the upload addresses of a deployment to storage's own, and back. */
export interface UploadAddresses {
  /** Returns the deployment's address for one of storage's own, which begins with `storageUrl`. */
  fromStorage(upload: UploadAddress & Facts, storageUrl: string): string
  /** Returns a request to a deployment's address as one to storage's own. */
  toStorage(incoming: Incoming): Incoming
}

interface UploadAddress {
  readonly upload_url: string
  readonly session_id: string
}

/** If `remembers`, storage's own addresses are kept in memory; otherwise the deployment's carry them. */
export function uploadAddresses(style: Style, random: RandomSource, remembers: boolean): UploadAddresses {
  const pathOf = (facts: Facts, thing?: string) => style.uploadPath(facts, random, thing)
  const start = commonStart(pathOf)
  const carrier = findCarrier(pathOf)
  /** Storage's own addresses by the deployment's. */
  const remembered = new Map<string, string>()
  /** Maps an upload URL to storage's own address. Returns false if the URL belongs to another upload already. */
  const remember = (address: string, own: string) => {
    if (remembered.has(address)) return false
    const [oldest] = remembered.keys()
    if (oldest !== undefined && remembered.size >= mostRemembered) remembered.delete(oldest)
    remembered.set(address, own)
    return true
  }
  return {
    fromStorage({ upload_url, ...upload }, storageUrl) {
      const { origin, pathname } = new URL(storageUrl)
      const root = origin + pathname.replace(/\/$/, '')
      const own = upload_url.slice(storageUrl.length)
      const facts = { ...upload, count: remembered.size }
      const urlFor = (draw: number) => {
        const path = pathOf(facts, draw === 1 ? upload.session_id : `${upload.session_id} ${draw}`)
        // Spelled as clients will send it.
        return path === undefined ? undefined : new URL(root + path)
      }
      const url = urlFor(1)
      // A store verifies each character of its own addresses.
      const isOfStore = upload_url.includes('X-Amz-Credential=')
      if (isOfStore || url === undefined || start === undefined) return upload_url
      for (let draw = 1; remembers && draw <= mostDraws; draw += 1) {
        const { href } = urlFor(draw) ?? url
        if (remember(canonicalAddress(href.slice(root.length)), own)) return href
      }
      const address = (url.origin + url.pathname + url.search).slice(root.length)
      const put = (token: string) => withToken(address, carrier, token)
      return root + put(encode(`${own}\n${canonicalAddress(put(''))}`))
    },
    toStorage(incoming) {
      const { path, search } = incoming
      if (start === undefined || !path.startsWith(start)) return incoming
      const asked = canonicalAddress(path + search)
      const own = remembered.get(asked) ?? carriedIn(asked)
      // A deployment may store files where the mock has pages of its own.
      if (own === undefined && /^\/(api\/v1|__admin|docs)(\/|$)/.test(path)) return incoming
      // A changed address leads nowhere, and storage refuses it.
      const [storagePath = '', query] = (own ?? '/storage/').split('?')
      return { ...incoming, path: storagePath, search: query === undefined ? '' : `?${query}` }
    },
  }
}

/** Returns the path and query of an upload URL in the style. */
type PathOf = (facts: Facts, thing?: string) => string | undefined

const example = (name: string, key = name): Facts => ({
  ...{ now: new Date(0).toISOString(), session_id: name, key, request: { file_name: name } },
})

/** Returns the common beginning of all paths of the style. Two addresses for different uploads show what belongs to it. */
function commonStart(pathOf: PathOf): string | undefined {
  const [one, other] = ['1', '2'].map((name) => pathOf(example(name))?.split('?')[0])
  if (one === undefined || one === other) return one
  if (other === undefined) return undefined
  let length = 0
  while (length < one.length && one.charAt(length) === other.charAt(length)) length += 1
  const start = one.slice(0, one.lastIndexOf('/', length) + 1)
  return start === '/' ? '/tenants/' : start
}

/** The longest part that is made anew for each upload: a parameter if there is one, or else a segment of the path. */
function findCarrier(pathOf: PathOf): Carrier {
  const [one, other] = ['one', 'other'].map((thing) => {
    const [path = '', query = ''] = (pathOf(example('name', 'tenants/key'), thing) ?? '').split('?')
    return { segments: path.split('/'), parameters: query.split('&').filter(Boolean) }
  })
  const longest = (kind: 'segments' | 'parameters') =>
    one?.[kind]
      .map((part, index) => ({ part, index }))
      .filter(({ part, index }) => part !== other?.[kind][index])
      .toSorted((x, y) => y.part.length - x.part.length)[0]
  const parameter = longest('parameters')
  if (parameter) return { parameter: parameter.part.split('=')[0] ?? spare }
  const segment = longest('segments')
  return segment ? { segment: segment.index } : { parameter: spare }
}

/** Puts a token into an address. */
function withToken(address: string, carrier: Carrier, token: string): string {
  const [path = '', query] = address.split('?')
  if ('segment' in carrier) {
    const segments = path.split('/').map((segment, index) => (index === carrier.segment ? token : segment))
    return segments.join('/') + (query === undefined ? '' : `?${query}`)
  }
  const start = `${carrier.parameter}=`
  const parts = (query ?? '').split('&').filter(Boolean)
  const at = parts.findIndex((part) => part.startsWith(start))
  return `${path}?${parts.toSpliced(at < 0 ? parts.length : at, 1, start + token).join('&')}`
}

/** Returns storage's own address that another one carries; undefined if it carries none, or was changed. */
function carriedIn(address: string): string | undefined {
  const token = address.split(/[/?&=]/).find((part) => part.startsWith(tokenStart)) ?? ''
  const [own = '', rest] = decode(token).split('\n')
  return own.startsWith('/storage/') && rest === address.replace(token, '') ? own : undefined
}

const tokenStart = 'cs1'

/** Encodes text as letters, digits, hyphens and underscores. */
function encode(text: string): string {
  const binary = String.fromCharCode(...new TextEncoder().encode(text))
  return tokenStart + btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function decode(token: string): string {
  try {
    const binary = atob(token.slice(tokenStart.length).replaceAll('-', '+').replaceAll('_', '/'))
    const text = new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)))
    // Two spellings of one token would be two addresses of one upload.
    return encode(text) === token ? text : ''
  } catch (error) {
    // A changed token leads nowhere, and storage refuses it.
    if (error instanceof DOMException) return ''
    throw error
  }
}
