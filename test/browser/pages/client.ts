/** A page that uploads with the client, which uses XMLHttpRequest. */
import { type ClientError, createClient } from '../../../src/client/index.ts'

/** Uploads a file. Returns `uploaded`, or the code of the error. */
function uploadFromPage(baseUrl: string, apiKey: string): Promise<string> {
  const file = new File([new Uint8Array(1000)], 'small.bin')
  return createClient({ baseUrl, apiKey })
    .uploadDocument(file, { retry: { delayMs: 0 }, onProgress: () => {} })
    .then(
      () => 'uploaded',
      (error: ClientError) => error.code,
    )
}

declare global {
  var upload: typeof uploadFromPage
}
globalThis.upload = uploadFromPage
