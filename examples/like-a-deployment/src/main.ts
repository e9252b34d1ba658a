import { connect, readWorkflow, start } from './approvals.ts'
import { executionHtml, workflowHtml } from './page.ts'

const [main, started] = [document.querySelector('main'), document.querySelector('output')]
const { searchParams } = new URL(location.href)
const approvals = connect(searchParams.get('api') ?? 'http://127.0.0.1:4010', searchParams.get('key') ?? 'test_page')
const workflowId = Number(searchParams.get('workflow'))

async function show() {
  if (!main) return
  const workflow = await readWorkflow(approvals, workflowId)
  main.innerHTML = workflowHtml(workflow)
  main.querySelector('form')?.addEventListener('submit', async (event) => {
    event.preventDefault()
    const file = new FormData(event.currentTarget as HTMLFormElement).get('document')
    if (!(file instanceof File) || !started) return
    started.innerHTML = executionHtml(await start(approvals, workflow, file, 'sam@example.com'))
    await show()
  })
}

show().catch((error: unknown) => {
  if (main) main.textContent = error instanceof Error ? error.message : String(error)
})
