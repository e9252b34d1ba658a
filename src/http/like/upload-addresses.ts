/**
 * Upload URLs in a deployment's style. Storage signs and verifies addresses of its own, and the mock maps the deployment's to them.
 * Without a journal, the map is kept in memory. With a journal, another process may receive the upload: then the URL carries
 * storage's address in place of the signature, and is longer than the deployment's. A changed URL is refused in both cases.
 */
import type { Style } from '../../profile/style.ts'
import type { RandomSource } from '../../profile/template.ts'
import { canonicalAddress } from '../../world/presign.ts'
import type { Incoming } from '../wire/exchange.ts'

/** The parameter that carries the signature if the style has no place for it. */
const spare = 'signature'

/** The number of URLs that are kept in memory; the oldest is dropped first. */
const mostRemembered = 10_000

/** The number of times that a URL is drawn again if it belongs to another upload. */
const mostDraws = 20

/** The part of an address that is replaced by a token: a parameter of the query, or a segment of the path. */
type Carrier = { readonly parameter: string } | { readonly segment: number }

export class UploadAddresses {
  readonly #style: Style
  readonly #random: RandomSource
  /** The common beginning of all paths of the style. */
  readonly #start: string | undefined
  readonly #carrier: Carrier
  /** Storage's own addresses by the deployment's; absent if addresses carry storage's own. */
  readonly #remembered: Map<string, string> | undefined

  constructor(style: Style, random: RandomSource, { remembers }: { readonly remembers: boolean }) {
    this.#style = style
    this.#random = random
    this.#remembered = remembers ? new Map() : undefined
    this.#start = this.#commonStart()
    this.#carrier = this.#findCarrier()
  }

  /** Returns the deployment's address for one of storage's own, which begins with `storageUrl`. */
  fromStorage(
    upload: { readonly upload_url: string; readonly session_id: string; readonly key: string },
    { request, now, storageUrl }: { readonly request: unknown; readonly now: string; readonly storageUrl: string },
  ): string {
    const { origin, pathname } = new URL(storageUrl)
    const root = origin + pathname.replace(/\/$/, '')
    const own = upload.upload_url.slice(storageUrl.length)
    const facts = { request, now, session_id: upload.session_id, key: upload.key, count: this.#remembered?.size ?? 0 }
    const urlFor = (thing: string) => {
      const path = this.#style.uploadPath(facts, this.#random, thing)
      // Spelled as clients will send it.
      return path === undefined ? undefined : new URL(root + path)
    }
    const url = urlFor(upload.session_id)
    // A store verifies each character of its own addresses.
    const isOfStore = upload.upload_url.includes('X-Amz-Credential=')
    if (isOfStore || url === undefined || this.#start === undefined) return upload.upload_url
    for (let draws = 1; this.#remembered && draws <= mostDraws; draws += 1) {
      const { href } = draws === 1 ? url : (urlFor(`${upload.session_id} ${draws}`) ?? url)
      if (this.#remember(canonicalAddress(href.slice(root.length)), own)) return href
    }
    const address = (url.origin + url.pathname + url.search).slice(root.length)
    const put = (token: string) => withToken(address, this.#carrier, token)
    return root + put(encode(`${own}\n${canonicalAddress(put(''))}`))
  }

  /** Maps an upload URL to storage's own address. Returns false if the URL belongs to another upload already. */
  #remember(address: string, own: string): boolean {
    if (!this.#remembered || this.#remembered.has(address)) return false
    const [oldest] = this.#remembered.keys()
    if (oldest !== undefined && this.#remembered.size >= mostRemembered) this.#remembered.delete(oldest)
    this.#remembered.set(address, own)
    return true
  }

  /** Returns a request to a deployment's address as one to storage's own. */
  toStorage(incoming: Incoming): Incoming {
    const { path, search } = incoming
    if (this.#start === undefined || !path.startsWith(this.#start)) return incoming
    const asked = canonicalAddress(path + search)
    const own = this.#remembered?.get(asked) ?? carriedIn(asked)
    // A deployment may store files where the mock has pages of its own.
    if (own === undefined && /^\/(api\/v1|__admin|docs)(\/|$)/.test(path)) return incoming
    // A changed address leads nowhere, and storage refuses it.
    const [storagePath = '', query] = (own ?? '/storage/').split('?')
    return { ...incoming, path: storagePath, search: query === undefined ? '' : `?${query}` }
  }

  /** Two addresses for different uploads show what belongs to the style. */
  #commonStart(): string | undefined {
    const paths = ['1', '2'].map((text) =>
      this.#style.uploadPath(
        { now: new Date(0).toISOString(), session_id: text, key: text, request: { file_name: text } },
        this.#random,
      ),
    )
    const [one, other] = paths.map((path) => path?.split('?')[0])
    if (one === undefined || one === other) return one
    if (other === undefined) return undefined
    let length = 0
    while (length < one.length && one.charAt(length) === other.charAt(length)) length += 1
    const start = one.slice(0, one.lastIndexOf('/', length) + 1)
    return start === '/' ? '/tenants/' : start
  }

  /** The longest part that is made anew for each upload: a parameter if there is one, or else a segment of the path. */
  #findCarrier(): Carrier {
    const facts = {
      now: new Date(0).toISOString(),
      session_id: 'session',
      key: 'tenants/key',
      request: { file_name: 'name' },
    }
    const [one = '', other = ''] = ['one', 'other'].map(
      (thing) => this.#style.uploadPath(facts, this.#random, thing) ?? '',
    )
    const parts = (address: string) => {
      const [path = '', query = ''] = address.split('?')
      return { segments: path.split('/'), parameters: query.split('&').filter(Boolean) }
    }
    const [a, b] = [parts(one), parts(other)]
    const longest = (these: readonly string[], those: readonly string[]) =>
      these
        .map((part, index) => ({ part, index }))
        .filter(({ part, index }) => part !== those[index])
        .toSorted((x, y) => y.part.length - x.part.length)[0]
    const parameter = longest(a.parameters, b.parameters)
    if (parameter) return { parameter: parameter.part.split('=')[0] ?? spare }
    const segment = longest(a.segments, b.segments)
    return segment ? { segment: segment.index } : { parameter: spare }
  }
}

/** Puts a token into an address. */
function withToken(address: string, carrier: Carrier, token: string): string {
  const [path = '', query] = address.split('?')
  if ('segment' in carrier) {
    const segments = path.split('/').map((segment, index) => (index === carrier.segment ? token : segment))
    return segments.join('/') + (query === undefined ? '' : `?${query}`)
  }
  const { parameter } = carrier
  const others = (query ?? '').split('&').filter(Boolean)
  const has = others.some((part) => part.startsWith(`${parameter}=`))
  const parts = others.map((part) => (part.startsWith(`${parameter}=`) ? `${parameter}=${token}` : part))
  return `${path}?${(has ? parts : [...parts, `${parameter}=${token}`]).join('&')}`
}

/** Returns storage's own address that another one carries; undefined if it carries none, or was changed. */
function carriedIn(address: string): string | undefined {
  const token = tokenIn(address)
  const [own = '', rest] = decode(token).split('\n')
  return own.startsWith('/storage/') && rest === address.replace(token, '') ? own : undefined
}

function tokenIn(address: string): string {
  return address.split(/[/?&=]/).find((part) => part.startsWith(tokenStart)) ?? ''
}

const tokenStart = 'cs1'

/** Encodes text as letters, digits, hyphens and underscores. */
function encode(text: string): string {
  const bytes = new TextEncoder().encode(text)
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
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
