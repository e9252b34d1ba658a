import { ClientError } from 'countersign/client'
import type { ReactNode } from 'react'

/** Shows an error message of the service or the client, with the action that its code suggests. */
export function ErrorNote({ error, children }: { readonly error: unknown; readonly children?: ReactNode }) {
  if (error === undefined) return null
  const { code, message, problem } = error instanceof ClientError ? error : unforeseen(error)
  if (code === 'aborted') return <p role="status">Cancelled. Nothing was changed.</p>
  return (
    <div role="alert" className="error">
      <p>{message}</p>
      {problem?.errors && (
        <ul>
          {problem.errors.map(({ pointer, rule, message }) => (
            <li key={`${pointer} ${rule}`}>
              <code>{pointer}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {children}
    </div>
  )
}

function unforeseen(error: unknown) {
  return { code: undefined, message: error instanceof Error ? error.message : String(error), problem: undefined }
}
