import type { Remembered } from '../use-remembered.ts'

interface Props {
  readonly workflows: readonly Remembered[]
  readonly shownId: string | undefined
  readonly onShow: (workflow_id: string) => void
}

export function WorkflowList({ workflows, shownId, onShow }: Props) {
  return (
    <nav aria-labelledby="workflows" className="card">
      <h2 id="workflows">Workflows</h2>
      {workflows.length === 0 && <p>None yet.</p>}
      <ul className="choices">
        {workflows.map(({ workflow_id, name }) => (
          <li key={workflow_id}>
            <button
              type="button"
              aria-current={workflow_id === shownId ? 'page' : undefined}
              onClick={() => onShow(workflow_id)}
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
      <p className="hint">Those created in this browser: the API has no call that lists workflows.</p>
    </nav>
  )
}
