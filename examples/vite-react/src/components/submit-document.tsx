import { type ConfirmedDocument, dataOf, type UploadProgress } from 'countersign/client'
import { useRef, useState } from 'react'
import { client, type Schemas } from '../api.ts'
import { useAction } from '../use-action.ts'
import { ErrorNote } from './error-note.tsx'

const priorities: Schemas['Execution']['priority'][] = ['low', 'normal', 'high']

interface Props {
  readonly workflowId: string
  readonly onStarted: () => Promise<void>
}

/** Uploads a document and starts an execution for it. */
export function SubmitDocument({ workflowId, onStarted }: Props) {
  const [progress, setProgress] = useState<UploadProgress>()
  const [document, setDocument] = useState<ConfirmedDocument>()
  const { isRunning, error, run } = useAction()
  const aborting = useRef<AbortController>(undefined)

  const upload = (file: File) =>
    run(async () => {
      aborting.current = new AbortController()
      const { signal } = aborting.current
      setDocument(undefined)
      setProgress(undefined)
      setDocument(await client.uploadDocument(file, { onProgress: setProgress, signal }))
    })
  const start = (document_id: string, form: HTMLFormElement) =>
    run(async () => {
      const fields = new FormData(form)
      const body = {
        document_id,
        submitter_email: String(fields.get('submitter')),
        priority: priorities.find((priority) => priority === fields.get('priority')) ?? 'normal',
      }
      const params = { path: { workflow_id: workflowId } }
      await dataOf(client.POST('/api/v1/workflows/{workflow_id}/execute', { params, body }))
      setDocument(undefined)
      setProgress(undefined)
      form.reset()
      await onStarted()
    })

  return (
    <section className="card" aria-labelledby="submit">
      <h3 id="submit">Submit a document</h3>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const form = event.currentTarget
          const file = new FormData(form).get('file')
          if (document) start(document.document_id, form)
          else if (file instanceof File) upload(file)
        }}
      >
        <label>
          Document
          <input name="file" type="file" required disabled={isRunning} onChange={() => setDocument(undefined)} />
        </label>
        {progress && (isRunning || document) && <UploadBar progress={progress} />}
        {document && (
          <>
            <p role="status">{document.file_name} is uploaded.</p>
            <label>
              Your e-mail address
              <input name="submitter" type="email" defaultValue="sam@example.com" required />
            </label>
            <label>
              Priority
              <select name="priority" defaultValue="normal">
                {priorities.map((priority) => (
                  <option key={priority}>{priority}</option>
                ))}
              </select>
            </label>
          </>
        )}
        <ErrorNote error={error} />
        <p className="actions">
          <button type="submit" className="primary" disabled={isRunning}>
            {document ? 'Start approval' : 'Upload'}
          </button>
          {isRunning && !document && (
            <button type="button" onClick={() => aborting.current?.abort()}>
              Cancel upload
            </button>
          )}
        </p>
      </form>
    </section>
  )
}

function UploadBar({ progress: { loaded, total } }: { readonly progress: UploadProgress }) {
  const share = total === 0 ? 1 : loaded / total
  return (
    <label className="progress">
      Uploaded
      <progress value={share} />
      <output>{Math.floor(share * 100)} %</output>
    </label>
  )
}
