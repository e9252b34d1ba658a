/** The texts of the built pages that are replaced when they are written for an API owner or served by a mock. */
export const marks = {
  /** The name in the navigation bar. */
  brand: '<span class="brand">Countersign</span>',
  /** The end of each page's title. */
  title: ' - Countersign</title>',
  /** The URL of the service, in the pages and in the contracts. */
  server: 'http://127.0.0.1:4010',
  /** The URL to which the page sends calls; empty for the server that the page came from. */
  target: '<meta name="server" content="">',
} as const

/** The page that sends operations. It needs a server. */
export const tryPageName = 'try.html'

/** Writes the link to an operation on that page, as Markdown. */
export function tryLink(operationId: string): string {
  return `[Send this call](${tryPageName}#${operationId})`
}

/** Checks whether the texts of a file are replaced: licences and styles have none. */
export function hasSamples(name: string): boolean {
  return /\.(html|yaml)$/.test(name)
}

/** Checks that a URL can become part of a page and of a shell command. */
export function isPlainUrl(url: string): boolean {
  return /^[\w.:/~%[\]-]+$/.test(url)
}

/** Puts a plain URL into the samples and the contract of a page, and a key in the place of the reader's. */
export function withServer(page: string, serverUrl: string, key?: string): string {
  const pieces: readonly (readonly [RegExp | string, string])[] = [
    [/\$\{?COUNTERSIGN_URL\b\}?/g, serverUrl],
    ["COUNTERSIGN_URL = '', ", ''],
    ['baseUrl: COUNTERSIGN_URL', `baseUrl: '${serverUrl}'`],
    [marks.server, serverUrl],
    [new URL(marks.server).host, new URL(serverUrl).host],
    ...(key === undefined ? [] : keyPieces(key)),
  ]
  return pieces.reduce((text, [from, to]) => text.replaceAll(from, () => to), page)
}

function keyPieces(key: string): [RegExp | string, string][] {
  return [
    [/\$\{?COUNTERSIGN_API_KEY\b\}?/g, key],
    // The samples are JSON text in their page.
    ["const { COUNTERSIGN_API_KEY = '' } = process.env\\n", ''],
    ['apiKey: COUNTERSIGN_API_KEY', `apiKey: '${key}'`],
  ]
}
