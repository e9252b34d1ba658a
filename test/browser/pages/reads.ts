/** A page that reads answers as the users of `XMLHttpRequest` do, while its reads are tracked. */
import { XMLHttpRequestInterceptor } from '@mswjs/interceptors/XMLHttpRequest'
import { type ReadPlace, trackReads } from '../../../src/reads/index.ts'

type Way = 'text' | 'json' | 'unparsed' | 'bytes' | 'ignored' | 'fetch as text'

/** Sends a request with `XMLHttpRequest`, as axios does: with callbacks, and with the type of the answer last. */
function send(method: string, url: string, key: string, type: XMLHttpRequestResponseType, body?: string) {
  return new Promise<XMLHttpRequest>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url, true)
    request.onloadend = () => resolve(request)
    request.onerror = () => reject(new Error('There was no answer.'))
    request.setRequestHeader('Authorization', key)
    request.setRequestHeader('Content-Type', 'application/json')
    if (type !== '') request.responseType = type
    request.send(body ?? null)
  })
}

const readsPage = {
  /** Creates a workflow, and reads it in one way. Returns what was read, and the places that were tracked. */
  async read(url: string, key: string, way: Way, isIntercepted = false) {
    const interceptor = new XMLHttpRequestInterceptor()
    if (isIntercepted) {
      interceptor.on('request', async ({ request, controller }) => controller.respondWith(await fetch(request)))
      interceptor.apply()
    }
    const reads = trackReads({ reader: () => way })
    try {
      const approvers = [{ email: 'a@example.com', name: 'A' }]
      const steps = [{ step_id: 'a', name: 'Legal', order: 1, type: 'approval', approvers, estimated_duration: 5 }]
      const body = JSON.stringify({ name: 'Contract', steps })
      const created = await send('POST', `${url}/api/v1/workflows`, key, '', body)
      const { workflow_id } = JSON.parse(created.responseText)
      const address = `${url}/api/v1/workflows/${workflow_id}`
      let found: unknown
      if (way === 'fetch as text')
        found = (await (await fetch(address, { headers: { Authorization: key } })).text()).length
      else {
        const request = await send('GET', address, key, way === 'json' ? 'json' : way === 'bytes' ? 'arraybuffer' : '')
        if (way === 'text') found = JSON.parse(request.responseText).name
        else if (way === 'json') {
          const { response } = request
          found = [response.name, response === request.response].join()
        } else if (way === 'unparsed')
          found = [request.response.length, request.responseText.length].every((size) => size > 9)
        else if (way === 'bytes') found = JSON.parse(new TextDecoder().decode(request.response)).name
      }
      const other = await send('GET', '/page.js', key, '')
      if (!other.responseText.includes('trackReads')) throw new Error('Other answers must stay as they are.')
      return { found, places: reads.places() as ReadPlace[] }
    } finally {
      reads.stop()
      interceptor.dispose()
    }
  },
}
declare global {
  var reading: typeof readsPage
}
globalThis.reading = readsPage
