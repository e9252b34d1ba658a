/** A valid workflow of three steps, like the one in the interface document. */
export const workflowBody = {
  name: 'Supplier contract',
  description: 'Legal reads first, then finance, then the board signs.',
  isSequential: true,
  steps: [
    stepBody(1, 'legal', 'Legal review', 'lena@example.com', 'marc@example.com'),
    stepBody(2, 'finance', 'Finance sign-off', 'ines@example.com', 'omar@example.com'),
    stepBody(3, 'board', 'Board signature', 'vera@example.com'),
  ],
}

function stepBody(order: number, step_id: string, name: string, ...emails: string[]) {
  const approvers = emails.map((email) => ({ email, name: email.slice(0, email.indexOf('@')) }))
  return { step_id, name, order, type: 'approval', approvers, estimated_duration: 60 * order }
}
