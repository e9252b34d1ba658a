/** A page with MSW's worker as its service. It runs the conformance suite and uploads a file. */
import { setupWorker } from 'msw/browser'
import { run } from '../../../conformance/run/runner.ts'
import { handlers } from '../../../mocks/handlers.ts'
import { createClient } from '../../../src/client/index.ts'
import { createMock } from '../../../src/index.ts'
import { storedBytes } from '../../support/stored.ts'

const { origin } = location
const storageUrl = 'http://127.0.0.1:9'
const mock = createMock({ storageOrigin: storageUrl })
const started = setupWorker(...handlers({ baseUrl: origin, storageUrl, mock })).start({ quiet: true })

const mswPage = {
  async conform(apiKey: string, secondKey: string) {
    await started
    return run({ url: origin, apiKey, secondKey })
  },

  async upload(apiKey: string, size: number) {
    await started
    const bytes = new Uint8Array(size).map((_, index) => index * 31)
    const loaded: number[] = []
    const { key } = await createClient({ baseUrl: origin, apiKey }).uploadDocument(new Blob([bytes]), {
      fileName: 'a b+ü%.bin',
      onProgress: (progress) => loaded.push(progress.loaded),
    })
    const kept = storedBytes(mock.tenants.ofKey(apiKey), key) ?? []
    return { loaded, isSame: kept.length === size && bytes.every((byte, index) => byte === kept[index]) }
  },
}
declare global {
  var page: typeof mswPage
}
globalThis.page = mswPage
