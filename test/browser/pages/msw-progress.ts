/** A page whose uploads MSW's interceptor answers in the page itself, so that XMLHttpRequest reports their progress. */
import { XMLHttpRequestInterceptor } from '@mswjs/interceptors/XMLHttpRequest'
import { getResponse } from 'msw'
import { setupWorker } from 'msw/browser'
import { handlers } from '../../../mocks/handlers.ts'
import { createClient } from '../../../src/client/index.ts'

const baseUrl = location.origin
const all = handlers({ baseUrl })
const started = setupWorker(...all).start({ quiet: true })

const interceptor = new XMLHttpRequestInterceptor()
interceptor.on('request', async ({ request, controller }) => {
  const response = await getResponse(all, request)
  if (response) controller.respondWith(response)
})
interceptor.apply()

const progressPage = {
  /** Uploads a file as an application does without our client. Returns the bytes that each progress event reports. */
  async put(apiKey: string, size: number): Promise<{ events: string[]; documentId: string }> {
    await started
    const client = createClient({ baseUrl, apiKey })
    const terms = { file_name: 'a.bin', content_type: 'application/octet-stream', file_size: size }
    const { data: upload } = await client.POST('/api/v1/upload/', { body: terms })
    if (!upload) throw new Error('The upload was refused.')
    const events: string[] = []
    await new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(upload.method, upload.upload_url)
      request.setRequestHeader('Content-Type', terms.content_type)
      for (const type of ['loadstart', 'progress', 'load'] as const) {
        request.upload.addEventListener(type, ({ loaded, total }) => events.push(`${type} ${loaded}/${total}`))
      }
      request.onload = resolve
      request.onerror = reject
      request.send(new Blob([new Uint8Array(size)]))
    })
    const completed = [{ key: upload.key, file_name: terms.file_name }]
    const body = { session_id: upload.session_id, completed_files: completed }
    const { data } = await client.POST('/api/v1/upload/confirm', { body })
    return { events, documentId: data?.document_id ?? '' }
  },
}
declare global {
  var uploads: typeof progressPage
}
globalThis.uploads = progressPage
