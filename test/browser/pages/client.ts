/** A page that uploads with the client, which reports progress through XMLHttpRequest. */
import { type ClientError, createClient } from '../../../src/client/index.ts'

/** Uploads a number of bytes. Returns the document or the code of the error, and the reported progress. */
async function uploadFromPage(baseUrl: string, apiKey: string, size: number, abortAt = Number.POSITIVE_INFINITY) {
  const loaded: number[] = []
  const controller = new AbortController()
  const uploading = createClient({ baseUrl, apiKey }).uploadDocument(new File([new Uint8Array(size)], 'big.bin'), {
    signal: controller.signal,
    retry: { delayMs: 0 },
    onProgress(progress) {
      loaded.push(progress.loaded)
      if (progress.loaded > abortAt) controller.abort()
    },
  })
  const code = await uploading.then(
    () => 'uploaded',
    (error: ClientError) => error.code,
  )
  return { code, loaded }
}

declare global {
  var upload: typeof uploadFromPage
}
globalThis.upload = uploadFromPage
