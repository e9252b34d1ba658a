import type { LessonExchange } from '../../../conformance/learning/lesson.ts'
import type { Exchange } from '../../../conformance/wire/exchange.ts'
import { Secrets } from '../../../conformance/wire/secrets.ts'
import { Target } from '../../../conformance/wire/target.ts'
import { createMock } from '../../../src/index.ts'

export const key = 'test_canary_9f8e7d6c5b4a'
const workflow = {
  name: 'Supplier contract',
  description: '',
  steps: [
    {
      step_id: 'legal',
      name: 'Legal review',
      order: 1,
      type: 'approval' as const,
      approvers: [{ email: 'lena@example.com', name: 'Lena Ortiz' }],
      estimated_duration: 60,
    },
  ],
}

/** Sends two documents and two workflows through a service, and one call without a key. Returns all, and what redacts them. */
export async function sessionOn(fetch: (request: Request) => Promise<Response> = createMock().fetch) {
  const options = { url: 'http://mock.test', apiKey: key, fetch }
  const target = new Target(options)
  const exchanges: LessonExchange[] = []
  const take = async (name: string, sent: Promise<Exchange>) => {
    const exchange = { ...(await sent), at: Date.UTC(2026, 2, 1) + exchanges.length * 1000, name }
    exchanges.push(exchange)
    return exchange.json as Record<string, string>
  }
  for (const number of [1, 2]) {
    const created = await take(`create workflow ${number}`, target.createWorkflow(workflow))
    const file_name = `file-${number}.pdf`
    const bytes = new Uint8Array([...'%PDF', ...Array(300).keys()].map((one) => Number(one) || 37))
    const file = { file_name, content_type: 'application/pdf', file_size: bytes.byteLength }
    const upload = await take(`request upload ${number}`, target.requestUpload(file))
    const { upload_url = '', session_id = '', key: storageKey = '' } = upload
    await take(`put object ${number}`, target.putObject(upload_url, 'application/pdf', bytes))
    const confirmation = { session_id, completed_files: [{ key: storageKey, file_name }] }
    const { document_id = '' } = await take(`confirm upload ${number}`, target.confirmUpload(confirmation))
    const id = created.workflow_id ?? ''
    const execution = {
      document_id,
      submitter_email: 'sam@example.com',
      execution_mode: 'standard',
      priority: 'normal',
    } as const
    await take(`execute workflow ${number}`, target.executeWorkflow(id, execution))
    await take(`read workflow ${number}`, target.getWorkflow(id))
  }
  await take('create workflow without key', target.createWorkflow(workflow, { headers: {} }))
  const { redactor } = new Secrets(options, target.transport)
  return { exchanges, redact: (text: string) => redactor.text(text) }
}
