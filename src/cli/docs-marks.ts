/** The texts of the built pages that `countersign docs` replaces by those of the API owner. */
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
