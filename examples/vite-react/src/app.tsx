import { useState } from 'react'
import { NewWorkflow } from './components/new-workflow.tsx'
import { WorkflowList } from './components/workflow-list.tsx'
import { WorkflowPage } from './components/workflow-page.tsx'
import { useRemembered } from './use-remembered.ts'

export function App() {
  const { workflows, remember, forget } = useRemembered()
  const [wanted, setWanted] = useState<string>()
  const shown = workflows.find(({ workflow_id }) => workflow_id === wanted) ?? workflows[0]
  return (
    <>
      <header>
        <h1>Approvals</h1>
        <p>Send a document through the people who approve it, and watch it move.</p>
      </header>
      <main>
        <aside>
          <WorkflowList workflows={workflows} shownId={shown?.workflow_id} onShow={setWanted} />
          <NewWorkflow
            isFirst={workflows.length === 0}
            onCreated={(workflow) => {
              remember(workflow)
              setWanted(workflow.workflow_id)
            }}
          />
        </aside>
        {shown ? (
          <WorkflowPage
            key={shown.workflow_id}
            workflow={shown}
            isChosen={wanted !== undefined}
            onForget={() => forget(shown.workflow_id)}
          />
        ) : (
          <p className="empty">Create a workflow to begin. The form is filled in already.</p>
        )}
      </main>
    </>
  )
}
