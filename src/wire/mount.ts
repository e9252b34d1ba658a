import type { App } from './exchange.ts'

/** Where clients find an app. */
export interface Mount {
  /** The path below which the app answers; empty at the root. */
  readonly basePath: string
  /** Address at which clients reach the app, without a trailing slash. @default the origin that was called, and the base path */
  readonly publicUrl?: string | undefined
}

/** Reads the options of a mock. Throws a `RangeError` if one of them is malformed. */
export function mountOf(options: { readonly basePath?: string; readonly publicBaseUrl?: string }): Mount {
  const { basePath = '', publicBaseUrl } = options
  if (!/^(\/[\w.~-]+)*$/.test(basePath)) {
    throw new RangeError(
      `The base path '${basePath}' is not a path. Set one such as /team, without a slash at its end.`,
    )
  }
  return publicBaseUrl === undefined ? { basePath } : { basePath, publicUrl: addressOf('public', publicBaseUrl) }
}

/** Removes the trailing slash of an address. Throws a `RangeError` if it is not an HTTP URL. */
export function addressOf(what: 'public' | 'storage', address: string): string {
  if (/^https?:\/\//i.test(address) && URL.canParse(address)) return address.replace(/(?<!\/)\/+$/, '')
  throw new RangeError(
    `The ${what} address '${address}' is not an http:// or https:// URL. Set the whole URL, such as https://mock.example.`,
  )
}

/** Begins the path of a request that is not below the base path, as seen from there. */
export const outside = '/..'

/** Lets an app answer below a base path, and tells it the address at which clients reach it. */
export function mountedAt(mount: Mount, app: App): App {
  const { basePath } = mount
  if (basePath === '' && mount.publicUrl === undefined) return app
  return async (incoming) => {
    const { path, origin } = incoming
    const { publicUrl = origin + basePath } = mount
    if (path === basePath) {
      // The pages of the mock have relative links.
      return { status: 308, headers: [['Location', new URL(publicUrl).pathname.replace(/\/?$/, '/')]] }
    }
    const below = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : outside + path
    return app({ ...incoming, path: below, asked: path, publicUrl })
  }
}
