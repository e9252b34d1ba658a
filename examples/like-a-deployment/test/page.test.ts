import { readFileSync } from 'node:fs'
import { handlers } from 'countersign/msw'
import { startMock } from 'countersign/node'
import { setupServer } from 'msw/node'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connect, readWorkflow, start } from '../src/approvals.ts'
import { executionHtml, workflowHtml } from '../src/page.ts'

const like = JSON.parse(readFileSync(new URL('../profile.json', import.meta.url), 'utf8'))
const contract = new File(['%PDF-1.7 …'], 'contract.pdf', { type: 'application/pdf' })
const step = {
  step_id: 'legal',
  name: 'Legal & tax',
  order: 1,
  type: 'approval' as const,
  approvers: [{ email: 'lena@example.com', name: 'Lena Ortiz' }],
  estimated_duration: 120,
}

/** Answers as the mock server does. Returns its address. */
async function mockServer(): Promise<string> {
  const mock = await startMock({ port: 0, like })
  onTestFinished(() => mock.close())
  return mock.url
}

/** Answers with MSW in this process. Returns the address of the deployment. */
function mswHandlers(): string {
  const baseUrl = 'https://approvals.example'
  const server = setupServer(...handlers({ baseUrl, like }))
  server.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => server.close())
  return baseUrl
}

describe.each([
  ['the mock server', mockServer],
  ['MSW handlers', mswHandlers],
])('on %s', (_, open) => {
  const connected = async () => connect(await open(), `test_${crypto.randomUUID()}`)
  const create = async (approvals: Awaited<ReturnType<typeof connected>>) => {
    const { data } = await approvals.POST('/api/v1/workflows', { body: { name: 'Supplier contract', steps: [step] } })
    if (!data) throw new Error('The workflow was not created.')
    return data.data.workflowId
  }

  test('a created workflow has a number below data', async () => {
    const id = await create(await connected())
    expect(id).toBeTypeOf('number')
  })

  test('the page lists the steps of a workflow', async () => {
    const approvals = await connected()
    const html = workflowHtml(await readWorkflow(approvals, await create(approvals)))
    expect(html).toContain('Supplier contract')
    expect(html).toContain('<li>Legal &amp; tax: lena@example.com (120 min)</li>')
    expect(html).toContain('0 started so far')
  })

  test('the page starts an execution, and counts it', async () => {
    const approvals = await connected()
    const workflow = await readWorkflow(approvals, await create(approvals))
    const execution = await start(approvals, workflow, contract, 'sam@example.com')
    expect(execution).toMatchObject({ workflowId: workflow.workflowId, submitterEmail: 'sam@example.com' })
    expect(executionHtml(execution)).toBe('<h2>running</h2><ul><li>Legal &amp; tax: assigned</li></ul>')
    expect(workflowHtml(await readWorkflow(approvals, workflow.workflowId))).toContain('1 started so far')
  })

  test('a refusal says why in the words of the deployment', async () => {
    const approvals = await connected()
    const { error } = await approvals.GET('/api/v1/workflows/{workflow_id}', {
      params: { path: { workflow_id: '404' } },
    })
    expect(error).toEqual({ error: { code: 'E404', message: expect.any(String) } })
    await expect(readWorkflow(approvals, 404)).rejects.toThrow(/404/)
  })
})
